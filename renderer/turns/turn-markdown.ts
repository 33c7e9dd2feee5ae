// A turn as Markdown, for the clipboard. Pure.
import type { TurnParts } from './turn-parts.ts';

/** Questions as quotes, answers as they are, each tool call as a fenced block with its result. Ends with one line break. */
export function turnMarkdown(turn: { heading: string; customer: string }, parts: TurnParts): string {
  const blocks = [`## ${turn.heading}`];
  for (const question of parts.questions) {
    blocks.push(
      `**${turn.customer}:**`,
      question.text
        .split('\n')
        .map((line) => `> ${line}`.trimEnd())
        .join('\n'),
    );
  }
  for (const part of parts.parts) {
    if (part.kind === 'text') {
      if (part.text !== '') blocks.push(part.text);
      continue;
    }
    const call = `${part.call.name}(${JSON.stringify(part.call.arguments)})`;
    blocks.push(fenced(part.result === null ? call : `${call}\n→ ${part.result}`));
  }
  return `${blocks.join('\n\n')}\n`;
}

/** A fence longer than any run of backticks inside, so that the text cannot close it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/gu)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
