/** Pure: which schemas of the shared database this program can read and write. */
import { ConsoleError } from '../../../shared/errors.ts';

/** The schema that `schema.sql` describes. */
export const SCHEMA_VERSION = 2;

export interface SchemaInfo {
  version: number;
  /** Oldest program version of the schema that may still read, and write. */
  min_reader: number;
  min_writer: number;
}

/** Null when writing is allowed. Throws `unsupported` when not even reading is. */
export function readOnlyReason(schema: SchemaInfo, known: number = SCHEMA_VERSION): string | null {
  if (schema.min_reader > known) {
    const found = `schema ${schema.version}; this one knows ${known}`;
    throw new ConsoleError('unsupported', `The shared database is used by a newer Nimbus Console (${found}). Update Nimbus Console.`);
  }
  if (schema.min_writer > known) {
    return 'The shared database is used by a newer Nimbus Console, so this one only reads. Update Nimbus Console.';
  }
  if (schema.version < known) {
    return `The shared database has an older schema (${schema.version}; needed is ${known}), so nothing is written. Run "npm run db:migrate".`;
  }
  return null;
}
