/** Pure: migration 3, what memory needs beyond the strategies: archived requests, memories, choices per conversation. */

export const SCHEMA_3 = `
ALTER TABLE conversations ADD COLUMN settings_json TEXT;
ALTER TABLE conversations ADD COLUMN redact INTEGER NOT NULL DEFAULT 1;
ALTER TABLE conversations ADD COLUMN distilled_turn INTEGER NOT NULL DEFAULT 0;
ALTER TABLE turns ADD COLUMN forgotten_at INTEGER;
ALTER TABLE usage_ledger ADD COLUMN tenant TEXT;
CREATE INDEX usage_ledger_tenant ON usage_ledger (tenant, happened_at);

CREATE TABLE request_segments (
  conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (conversation_id, number),
  UNIQUE (conversation_id, sha256)
) STRICT;

CREATE TABLE archived_requests (
  span_id TEXT NOT NULL PRIMARY KEY,
  conversation_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  turn INTEGER NOT NULL,
  parent INTEGER,
  position INTEGER NOT NULL,
  appended TEXT,
  sha256 TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  sent_at INTEGER NOT NULL,
  UNIQUE (conversation_id, number)
) STRICT;

CREATE TABLE memories (
  id TEXT NOT NULL PRIMARY KEY,
  tenant TEXT NOT NULL,
  scope TEXT NOT NULL,
  customer_id TEXT,
  content TEXT NOT NULL,
  slot TEXT,
  trust TEXT NOT NULL,
  origin TEXT NOT NULL,
  pinned INTEGER NOT NULL,
  superseded_by TEXT,
  conversation_id TEXT,
  turn INTEGER,
  created_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT;
CREATE INDEX memories_owner ON memories (tenant, customer_id);
CREATE INDEX memories_source ON memories (conversation_id, turn);
`;
