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

/** Pinned turns are read for every context; without it that would read all turns of the conversation. */
const PINNED_TURNS = 'CREATE INDEX turns_pinned ON turns (conversation_id, turn) WHERE pinned = 1;';

/** To which conversation a message that a search found belongs, without reading its text. */
const MESSAGE_PLACES = 'CREATE INDEX messages_place ON messages (id, conversation_id);';

const PROMPT_VERSIONS = `
CREATE TABLE prompt_versions (
  version TEXT NOT NULL PRIMARY KEY,
  content TEXT NOT NULL,
  author TEXT NOT NULL,
  note TEXT NOT NULL,
  based_on TEXT,
  created_at INTEGER NOT NULL,
  activated_at INTEGER
) STRICT;
`;

const RECALLED_TURNS = 'ALTER TABLE turns ADD COLUMN recalled_turns TEXT;';

/** What a request was sent for, and the hash of the body that left. */
const SENT_BODIES = `
ALTER TABLE archived_requests ADD COLUMN purpose TEXT NOT NULL DEFAULT 'answer';
ALTER TABLE archived_requests ADD COLUMN wire TEXT;
`;

const BRANCHES = `
CREATE TABLE branches (
  id TEXT NOT NULL PRIMARY KEY,
  conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  parent_id TEXT,
  turn INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  distilled_turn INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX branches_conversation ON branches (conversation_id, turn);

CREATE TABLE branch_turns (
  branch_id TEXT NOT NULL REFERENCES branches (id) ON DELETE CASCADE,
  conversation_id TEXT NOT NULL,
  turn INTEGER NOT NULL,
  state TEXT NOT NULL,
  outcome TEXT,
  run_id TEXT,
  prompt_version TEXT,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  error TEXT,
  pinned INTEGER NOT NULL,
  forgotten_at INTEGER,
  recalled_turns TEXT,
  PRIMARY KEY (branch_id, turn)
) STRICT;
CREATE INDEX branch_turns_conversation ON branch_turns (conversation_id, turn);

CREATE TABLE branch_messages (
  branch_id TEXT NOT NULL REFERENCES branches (id) ON DELETE CASCADE,
  conversation_id TEXT NOT NULL,
  role TEXT NOT NULL,
  data TEXT NOT NULL,
  uid TEXT NOT NULL,
  turn INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  content TEXT NOT NULL,
  tool_calls TEXT,
  tool_call_id TEXT,
  tool_name TEXT,
  provider TEXT, provider_model TEXT, provider_body TEXT, provider_sha256 TEXT,
  origin TEXT NOT NULL,
  trust TEXT NOT NULL,
  state TEXT,
  sent_at INTEGER NOT NULL,
  php_chars INTEGER NOT NULL,
  PRIMARY KEY (branch_id, seq)
) STRICT;
CREATE INDEX branch_messages_uid ON branch_messages (conversation_id, uid);
`;

const CONCERNS: readonly string[] = [READ_MARKS, PINNED_TURNS, MESSAGE_PLACES, PROMPT_VERSIONS, RECALLED_TURNS, SENT_BODIES, BRANCHES];

export const SCHEMA_4 = CONCERNS.join('\n');
