/** Pure: Markdown as plain text, for search and for snippets. Not a renderer: it drops marks, it does not interpret them. */

/** Removes headings' marks, list bullets, emphasis, code ticks and link targets; keeps every word, in order. */
export function plainText(markdown: string): string {
  return markdown
    .split(/\r\n|\r|\n/)
    .map((line) =>
      line
        .replace(/^ {0,3}#{1,6} +/, '')
        .replace(/^\s*(?:[-*+]|\d{1,3}[.)]) +/, '')
        .replace(/^\s*>+ ?/, '')
        .replace(/^\s*(?:`{3,}|~{3,}).*$/, '')
        .replace(/!?\[([^[\]]*)\]\([^()\s]*(?: "[^"]*")?\)/g, '$1')
        .replace(/\*{1,3}(?=\S)([^*]+)\*{1,3}/g, '$1')
        .replace(/`([^`]+)`/g, '$1')
        .trim(),
    )
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** The body without its first heading when that only repeats the title. */
export function bodyWithoutTitle(title: string, body: string): string {
  const text = plainText(body);
  return text.startsWith(`${title}\n`) ? text.slice(title.length).trimStart() : text;
}
