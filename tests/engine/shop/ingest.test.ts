/** Markdown files as help articles, and the sentences about files that cannot be any. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { articlesFromMarkdown, MAX_ARTICLE_CHARACTERS } from '../../../electron/engine/shop/ingest.ts';

const one = (text: string, path = 'help/Returns & refunds.md') => articlesFromMarkdown([{ path, text }]);
const titleOf = (text: string, path?: string): string | undefined => one(text, path).articles[0]?.title;

describe('articlesFromMarkdown', () => {
  test('makes an article with id from the path and title from the first heading', () => {
    expect(one('Intro\n\n## Sending back ##\n\nText\n')).toEqual({
      articles: [
        {
          id: 'help/returns-refunds',
          title: 'Sending back',
          body: 'Intro\n\n## Sending back ##\n\nText\n',
          source: 'help/Returns & refunds.md',
        },
      ],
      problems: [],
    });
  });

  test.each([
    ['an underlined heading', 'Sizes\n=====\n\nText', 'Sizes'],
    ['a heading after front matter', '---\ntitle: "No # heading"\n---\n# Yes\n', 'Yes'],
    ['a heading after TOML front matter', '+++\nx = 1\n+++\n# Yes\n', 'Yes'],
    ['a heading outside the code block', '```sh\n# not this\n```\n# This\n', 'This'],
    ['no heading: the file name', 'Just text', 'Returns & refunds'],
    ['a byte order mark and Windows line ends', '\ufeff# Über uns\r\n\r\nText\r\n', 'Über uns'],
    ['an opening line without an end is text', '---\n# Title\n', 'Title'],
    ['#hashtag is no heading', '#hashtag\n\n# Real\n', 'Real'],
  ])('%s', (_name, text, title) => {
    expect(titleOf(text)).toBe(title);
  });

  test('leaves front matter out of the body', () => {
    expect(one('---\nsecret: 1\n---\n\n# A\n\nB').articles[0]?.body).toBe('# A\n\nB\n');
  });

  test('ids keep letters of every script, and differ by folder', () => {
    const { articles } = articlesFromMarkdown([
      { path: 'ヘルプ/返品について.md', text: 'x' },
      { path: 'a\\Windows Path.MD', text: 'x' },
      { path: 'a/index.md', text: 'x' },
      { path: 'b/index.md', text: 'x' },
    ]);
    expect(articles.map(({ id }) => id)).toEqual(['ヘルプ/返品について', 'a/windows-path', 'a/index', 'b/index']);
  });

  test.each([
    ['empty', '', 'is empty'],
    ['only spaces', ' \n\t\n', 'is empty'],
    ['only front matter', '---\na: 1\n---\n', 'is empty'],
    ['binary', 'PNG\u0000\u0001\u0002', 'is not a text file'],
    ['another encoding', `${'\ufffd'.repeat(10)} caf`, 'is not UTF-8'],
    ['too large', 'x'.repeat(MAX_ARTICLE_CHARACTERS + 1), 'is too large'],
  ])('a file that is %s is a problem that names it, and the others still come', (_name, text, reason) => {
    const { articles, problems } = articlesFromMarkdown([
      { path: 'bad.md', text },
      { path: 'good.md', text: '# Good' },
    ]);
    expect(articles.map(({ id }) => id)).toEqual(['good']);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^bad\\.md ${reason}`));
  });

  test('two files with one id: the first stays, the second is a problem', () => {
    const { articles, problems } = articlesFromMarkdown([
      { path: 'a b.md', text: 'first' },
      { path: 'a-b.md', text: 'second' },
    ]);
    expect(articles.map(({ source }) => source)).toEqual(['a b.md']);
    expect(problems[0]).toContain('a b.md');
  });

  test('a name without letters is a problem', () => {
    expect(one('text', '!!!.md').problems[0]).toContain('rename');
  });

  test('never throws, and every file is an article or a problem', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ path: fc.string({ unit: 'binary' }), text: fc.string({ unit: 'binary' }) }), { maxLength: 8 }),
        (files) => {
          const { articles, problems } = articlesFromMarkdown(files);
          expect(articles.length + problems.length).toBe(files.length);
          for (const article of articles) {
            expect(article.id).not.toBe('');
            expect(article.title).not.toBe('');
          }
        },
      ),
    );
  });
});
