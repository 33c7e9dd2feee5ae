/** Pure: migration 1, all records. Shared tables and columns are named as in `schema.sql`; times are UTC milliseconds. */

export const SCHEMA_1 = `
CREATE TABLE conversations (
  search_id INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  tenant TEXT NOT NULL,
  actor_type TEXT, actor_id TEXT,
  subject_type TEXT, subject_id TEXT,
  customer_id TEXT,
  title TEXT NOT NULL,
  strategy TEXT,
  handoff_reason TEXT,
  started_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  turn_count INTEGER NOT NULL,
  message_count INTEGER NOT NULL,
  last_text TEXT NOT NULL DEFAULT '',
  last_role TEXT
) STRICT;
CREATE INDEX conversations_newest ON conversations (changed_at DESC, id);
CREATE INDEX conversations_customer ON conversations (customer_id);

CREATE TABLE messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
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
  UNIQUE (conversation_id, seq),
  UNIQUE (conversation_id, uid)
) STRICT;
CREATE INDEX messages_turn ON messages (conversation_id, turn, seq);

CREATE TABLE superseded_messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  role TEXT NOT NULL,
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
  superseded_at INTEGER NOT NULL
) STRICT;
CREATE INDEX superseded_messages_turn ON superseded_messages (conversation_id, turn, seq);

CREATE TABLE turns (
  conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  turn INTEGER NOT NULL,
  state TEXT NOT NULL,
  outcome TEXT,
  run_id TEXT,
  prompt_version TEXT,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  error TEXT,
  pinned INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (conversation_id, turn)
) STRICT, WITHOUT ROWID;
CREATE INDEX turns_state ON turns (state, conversation_id);

CREATE TABLE streamed_texts (
  conversation_id TEXT NOT NULL PRIMARY KEY REFERENCES conversations (id) ON DELETE CASCADE,
  turn INTEGER NOT NULL,
  content TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE queued_messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  uid TEXT NOT NULL,
  content TEXT NOT NULL,
  origin TEXT NOT NULL,
  trust TEXT NOT NULL,
  sent_at INTEGER NOT NULL,
  UNIQUE (conversation_id, uid)
) STRICT;

CREATE TABLE drafts (
  conversation_id TEXT NOT NULL PRIMARY KEY REFERENCES conversations (id) ON DELETE CASCADE,
  content TEXT NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE memory_states (
  conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  strategy TEXT NOT NULL,
  state_json TEXT NOT NULL,
  PRIMARY KEY (conversation_id, strategy)
) STRICT, WITHOUT ROWID;

CREATE TABLE runs (
  id TEXT NOT NULL PRIMARY KEY,
  conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  turn INTEGER NOT NULL,
  question TEXT NOT NULL,
  model TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  state TEXT NOT NULL,
  outcome TEXT,
  steps INTEGER NOT NULL,
  tool_calls INTEGER NOT NULL,
  usage_json TEXT,
  cost_micro_usd INTEGER,
  error TEXT
) STRICT;
CREATE INDEX runs_newest ON runs (conversation_id, turn DESC, started_at DESC, id DESC);

CREATE TABLE spans (
  id TEXT NOT NULL PRIMARY KEY,
  run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  parent_id TEXT,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  step INTEGER,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  status TEXT NOT NULL,
  first_token_at INTEGER,
  usage_json TEXT,
  cost_micro_usd INTEGER,
  note TEXT NOT NULL,
  error TEXT,
  tool_call_id TEXT,
  detail_bytes INTEGER NOT NULL
) STRICT;
CREATE INDEX spans_run ON spans (run_id, started_at, id);

CREATE TABLE trace_events (
  run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  type TEXT NOT NULL,
  happened_at INTEGER NOT NULL,
  ms REAL NOT NULL,
  step INTEGER,
  data TEXT NOT NULL,
  PRIMARY KEY (run_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE span_details (
  span_id TEXT NOT NULL PRIMARY KEY REFERENCES spans (id) ON DELETE CASCADE,
  request TEXT NOT NULL,
  response TEXT NOT NULL
) STRICT;

CREATE TABLE customers (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT NOT NULL,
  phone TEXT NOT NULL,
  city TEXT NOT NULL,
  country TEXT NOT NULL,
  language TEXT NOT NULL
) STRICT;
CREATE INDEX customers_name ON customers (name, id);

CREATE TABLE products (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  price_minor INTEGER NOT NULL,
  currency TEXT NOT NULL,
  warranty_months INTEGER NOT NULL
) STRICT;

CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  customer_id TEXT NOT NULL,
  status TEXT NOT NULL,
  items TEXT NOT NULL,
  total_minor INTEGER NOT NULL,
  currency TEXT NOT NULL,
  paid_days_ago INTEGER NOT NULL
) STRICT;
CREATE INDEX orders_customer ON orders (customer_id, paid_days_ago);

CREATE TABLE articles (
  id TEXT NOT NULL PRIMARY KEY,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  source TEXT NOT NULL
) STRICT;

CREATE TABLE tickets (
  id INTEGER PRIMARY KEY,
  customer_id TEXT,
  conversation_id TEXT,
  order_id INTEGER,
  category TEXT NOT NULL,
  summary TEXT NOT NULL,
  status TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL
) STRICT;
CREATE INDEX tickets_customer ON tickets (customer_id);
CREATE INDEX tickets_conversation ON tickets (conversation_id);

CREATE TABLE counters (
  name TEXT NOT NULL PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE usage_ledger (
  id TEXT NOT NULL PRIMARY KEY,
  conversation_id TEXT,
  turn INTEGER,
  run_id TEXT,
  step INTEGER,
  purpose TEXT NOT NULL,
  provider TEXT NOT NULL,
  model TEXT NOT NULL,
  input_tokens INTEGER,
  cache_read_tokens INTEGER,
  cache_write_tokens INTEGER,
  output_tokens INTEGER,
  reasoning_tokens INTEGER,
  cost_micro_usd INTEGER,
  happened_at INTEGER NOT NULL
) STRICT;
CREATE INDEX usage_ledger_conversation ON usage_ledger (conversation_id, turn);
CREATE INDEX usage_ledger_time ON usage_ledger (happened_at);

CREATE TABLE preferences (
  name TEXT NOT NULL PRIMARY KEY,
  value_json TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;
