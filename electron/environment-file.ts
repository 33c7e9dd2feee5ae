/** Pure: the text of a `.env` file → variables. */

const LINE = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/;

/** The value after `=`: quoted (double quotes know \n, \t, \" and \\) or plain up to ` #`. */
function parseValue(text: string): string {
  const quoted = /^(?:"((?:[^"\\]|\\.)*)"|'([^']*)')\s*(?:#.*)?$/.exec(text);
  if (quoted?.[1] !== undefined) {
    return quoted[1].replace(/\\(.)/g, (_whole, letter: string) => (letter === 'n' ? '\n' : letter === 't' ? '\t' : letter));
  }
  if (quoted?.[2] !== undefined) return quoted[2];
  return text.replace(/(^|\s)#.*$/, '').trim();
}

/**
 * Reads `KEY=VALUE` lines; blank lines and `#` comments are skipped, a later line wins.
 * Lines of any other form come back as problems (`line N: …`), without their text, which may hold a key.
 */
export function parseEnvironmentFile(text: string): { values: Record<string, string>; problems: string[] } {
  const values: Record<string, string> = {};
  const problems: string[] = [];
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  for (const [index, line] of lines.entries()) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const match = LINE.exec(line);
    if (match?.[1] === undefined) problems.push(`line ${index + 1}: expected KEY=VALUE`);
    else values[match[1]] = parseValue((match[2] ?? '').trim());
  }
  return { values, problems };
}
