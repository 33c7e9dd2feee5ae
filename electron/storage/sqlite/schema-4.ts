/** Pure: migration 4, what a person's desk needs. One text per concern; tables and columns are explained in schema.sql. */

const CONCERNS: readonly string[] = [];

export const SCHEMA_4 = CONCERNS.join('\n');
