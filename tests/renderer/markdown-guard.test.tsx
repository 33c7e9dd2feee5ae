/** Any text can be shown: what would overwhelm the parser or the page is shown as it is. */
import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { liveParts, splitBlocks } from '../../renderer/chat/markdown-blocks.ts';
import { containerDepth, headOf, isLong, LONGEST_PARSED, MOST_LINES, plainPieces, whyPlain } from '../../renderer/chat/markdown-guard.ts';
import { SafeMarkdown, StreamingMarkdown } from '../../renderer/chat/safe-markdown.tsx';
import { FailureBoundary, FailureNote } from '../../renderer/ui/failure-boundary.tsx';
import { Bubble } from '../../renderer/turns/turn-view.tsx';

/** No rendering may hold the page longer; far above what a loaded machine needs for a bounded text. */
const LONGEST_RENDER_MS = 10_000;

function render(text: string): string {
  const start = performance.now();
  const markup = renderToStaticMarkup(<SafeMarkdown text={text} />);
  renderToStaticMarkup(<StreamingMarkdown text={text} />);
  expect(performance.now() - start).toBeLessThan(LONGEST_RENDER_MS);
  return markup;
}

const nestedLists = Array.from({ length: 500 }, (_, depth) => `${'  '.repeat(depth)}- item ${depth}`).join('\n');

const NESTED: [string, string][] = [
  ['2,000 quotes', `${'>'.repeat(2_000)} deep`],
  ['2,000 spaced quotes', `${'> '.repeat(2_000)}deep`],
  ['2,000 lists on a line', `${'- '.repeat(2_000)}deep`],
  ['1,000 numbered lists on a line', `${'1. '.repeat(1_000)}deep`],
  ['60 nested lists', nestedLists.split('\n').slice(0, 60).join('\n')],
  ['5,000 brackets', '['.repeat(5_000)],
  ['3,000 nested images', '!['.repeat(3_000)],
  ['a table in 20 quotes', Array.from({ length: 390 }, () => `${'>'.repeat(20)}|-|-|-|-`).join('\n')],
  ['quotes after a carriage return', `x\r${'>'.repeat(2_000)} deep`],
];

const MANY: [string, string][] = [
  ['2,700 open emphases', '*a '.repeat(2_700)],
  ['emphases and their ends', `${'*a '.repeat(1_500)}${' a*'.repeat(1_500)}`],
  ['3,000 comments', '<!--'.repeat(2_900)],
  ['4,000 tags', '<a '.repeat(3_900)],
  ['code of every length', Array.from({ length: 140 }, (_, length) => `${'`'.repeat(length + 1)}a`).join('')],
  ['addresses in one word', 'a.'.repeat(5_900)],
  ['a wide table of short rows', `${'|a'.repeat(2_000)}|\n${'|-'.repeat(2_000)}|\n${'|\n'.repeat(300)}`],
  ['a list that ends the code in it', `- x\n\n  \`\`\`\n${'*a '.repeat(3_500)}`],
  ['400 lines in quotes', Array.from({ length: 390 }, () => '>> |-|-|-|-').join('\n')],
];

const LONG: [string, string][] = [
  ['500 nested lists', nestedLists],
  ['8,000 open emphases', '*a '.repeat(8_000)],
  ['40 KB of short lines', 'x\n'.repeat(20_000)],
  ['lines of carriage returns', 'x\r'.repeat(5_000)],
  ['50 KB in one line', 'word '.repeat(10_000)],
  ['a table of 2,000 rows', `|a|b|\n|-|-|\n${'|1|2|\n'.repeat(2_000)}`],
];

describe('texts that cannot be parsed in bounded time and depth', () => {
  test.each(NESTED)('%s: plain, with the reason', (_name, text) => {
    expect(whyPlain(text)).toBe('too deeply nested');
    expect(render(text)).toContain('Shown as plain text: too deeply nested');
  });

  test.each(MANY)('%s: shown', (_name, text) => {
    expect(render(text)).not.toBe('');
  });

  test.each(LONG)('%s: folded behind a button that says its size', (_name, text) => {
    expect(whyPlain(text)).toBe('too long');
    const markup = render(text);
    expect(markup).toMatch(/Show all \([\d.]+ KB\)/);
    expect(markup.length).toBeLessThan(4_000);
  });

  test('a long message of a customer is folded too', () => {
    expect(renderToStaticMarkup(<Bubble name="Jonas" text={'x\n'.repeat(20_000)} />)).toContain('Show all (39.1 KB)');
  });

  test('any string of marks can be shown', () => {
    const mark = fc.constantFrom(
      '>',
      '- ',
      '1. ',
      '[',
      '](',
      ')',
      '*',
      '**',
      '_',
      '~~',
      '`',
      '```',
      '<',
      '<!--',
      '|',
      '|-',
      '\n',
      '\n\n',
      ' ',
      'a',
      '&',
      '![',
      '[^1]',
      ': ',
      '\t',
      '\r',
      'www.a.b',
      '@',
    );
    const piece = fc
      .tuple(fc.array(mark, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 600 }))
      .map(([marks, times]) => marks.join('').repeat(times));
    const text = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, (value) => {
        render(value);
      }),
      { numRuns: 40 },
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (value) => {
        render(value);
      }),
      { numRuns: 40 },
    );
  }, 120_000);
});

describe('texts people write', () => {
  const ordinary = [
    'Your order **1042** is on its way.',
    '> quoted\n> > twice\n\n- a\n  - b\n    - c\n      1. d',
    `| Order | State |\n|---|---|\n${'| 1042 | **shipped** |\n'.repeat(60)}`,
    'A [link](https://shop.example) and `code`, *twice*.\n\n'.repeat(60),
    `\`\`\`\n${'  if (a[b[c]] > 0) { return; }\n'.repeat(100)}\`\`\``,
  ];
  test.each(ordinary)('stay Markdown: %#', (text) => {
    expect(whyPlain(text)).toBeNull();
    expect(renderToStaticMarkup(<SafeMarkdown text={text} />)).not.toContain('plain-text');
  });

  test('the depth of a line counts its quotes, lists and the lists it continues', () => {
    expect([containerDepth('text'), containerDepth('> - a'), containerDepth('    - a'), containerDepth('-5 degrees')]).toEqual([
      0, 2, 3, 0,
    ]);
  });

  test('the bounds hold to the character and to the line', () => {
    expect([isLong('x'.repeat(LONGEST_PARSED)), isLong('x'.repeat(LONGEST_PARSED + 1))]).toEqual([false, true]);
    expect([isLong('\n'.repeat(MOST_LINES - 1)), isLong('\n'.repeat(MOST_LINES))]).toEqual([false, true]);
  });

  test('a head is a beginning in whole characters; pieces joined are the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '\n', '😀') }),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 5 }),
        (text, characters, lines) => {
          const head = headOf(text, characters, lines);
          expect(text.startsWith(head)).toBe(true);
          expect(head.isWellFormed()).toBe(true);
          expect(head.split('\n').length).toBeLessThanOrEqual(lines);
          expect(plainPieces(text, lines).join('\n')).toBe(text);
        },
      ),
    );
  });

  test('a growing text keeps what was parsed and goes on plain; nothing of it is left out', () => {
    const text = 'A paragraph of some length.\n\n'.repeat(2_000);
    const { parsed, plain } = liveParts(text);
    expect(parsed.length).toBeLessThanOrEqual(100);
    expect([...parsed, plain].join('\n\n')).toBe(splitBlocks(text).join('\n\n'));
    expect(liveParts('a\n\nb')).toEqual({ parsed: ['a', 'b'], plain: '' });
  });
});

describe('a failure stays where it happens', () => {
  test('the reason, the text as it is and a way to try again', () => {
    expect(FailureBoundary.getDerivedStateFromError(new RangeError('too deep'))).toEqual({ failure: 'too deep' });
    expect(FailureBoundary.getDerivedStateFromError('odd')).toEqual({ failure: 'odd' });
    const boundary = new FailureBoundary({ what: 'This message', text: 'Hello <b>', children: 'shown' });
    expect(boundary.render()).toBe('shown');
    boundary.state = FailureBoundary.getDerivedStateFromError(new RangeError('too deep'));
    const markup = renderToStaticMarkup(boundary.render());
    expect(markup).toContain('This message cannot be shown:</b> too deep');
    expect(markup).toContain('Hello &lt;b&gt;');
    expect(markup).toContain('Try again');
  });

  test('where there is no text it says so', () => {
    expect(renderToStaticMarkup(<FailureNote what="Trace" failure="odd" text="" onRetry={() => undefined} />)).toContain(
      'Nothing you typed',
    );
  });
});
