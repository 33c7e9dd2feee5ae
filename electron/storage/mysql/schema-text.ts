/** Pure: reads `schema.sql`, which keeps to one column or key per line. */
import { ConsoleError } from '../../../shared/errors.ts';

export interface TableText {
  name: string;
  /** The whole CREATE TABLE statement. */
  statement: string;
  /** Definitions as written, by column name, in order. */
  columns: Map<string, string>;
  /** Definitions of secondary keys and foreign keys as written, by their name. */
  keys: Map<string, string>;
  /** ENGINE, character set and collation. */
  options: string;
}

export interface SchemaText {
  tables: TableText[];
  /** Other statements, in order. */
  rest: string[];
}

/** Throws `internal` when the file does not keep to its own form. */
export function parseSchema(sql: string): SchemaText {
  const statements = sql
    .replaceAll(/^\s*--.*$/gm, '')
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
  const schema: SchemaText = { tables: [], rest: [] };
  for (const statement of statements) {
    if (statement.startsWith('CREATE TABLE')) schema.tables.push(tableOf(statement));
    else schema.rest.push(statement);
  }
  return schema;
}

function tableOf(statement: string): TableText {
  const match = /^CREATE TABLE IF NOT EXISTS (?<name>\w+) \(\n(?<body>[^]*)\n\) (?<options>[^)]+)$/.exec(statement);
  const parts = match?.groups;
  if (parts === undefined) throw new ConsoleError('internal', `schema.sql: no CREATE TABLE of the usual form: ${statement.slice(0, 80)}`);
  const table: TableText = {
    name: parts['name'] ?? '',
    statement,
    columns: new Map(),
    keys: new Map(),
    options: parts['options'] ?? '',
  };
  for (const line of (parts['body'] ?? '').split('\n')) {
    const definition = line.trim().replace(/,$/, '');
    if (definition === '' || definition.startsWith('PRIMARY KEY')) continue;
    const key = /^(?:UNIQUE KEY|KEY|CONSTRAINT) (\w+) /.exec(definition)?.[1];
    const column = /^(\w+) /.exec(definition)?.[1];
    if (key !== undefined) table.keys.set(definition.startsWith('CONSTRAINT') ? `${key} (foreign)` : key, definition);
    else if (column !== undefined) table.columns.set(column, definition);
  }
  return table;
}
