/** Pure: migration 4, what a person's desk needs. One text per concern; tables and columns are explained in schema.sql. */

const READ_MARKS = `
CREATE TABLE read_marks (
  conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  reader TEXT NOT NULL,
  read_at INTEGER,
  read_turn INTEGER NOT NULL,
  PRIMARY KEY (conversation_id, reader)
) STRICT;
`;

const CONCERNS: readonly string[] = [READ_MARKS];

export const SCHEMA_4 = CONCERNS.join('\n');
