-- Nimbus Console: the shared database, for MySQL 8 and MariaDB 10.6 or later.
--
--   mysql --user=ADMIN -p DATABASE < schema.sql
--
-- Running it again changes nothing. A database that holds only the two tables of the PHP tutorial (conversations, messages) is brought
-- up to this schema by "npm run db:migrate", which also works on an empty database.
--
-- Other programs may use the tutorial's statements unchanged:
--   INSERT INTO conversations (id) VALUES (?)                                -- 32 hexadecimal characters
--   INSERT INTO messages (conversation_id, role, data) VALUES (?, ?, ?)
--   SELECT data FROM messages WHERE conversation_id = ? ORDER BY id
--   DELETE FROM conversations WHERE updated_at < NOW() - INTERVAL 30 DAY     -- takes everything of them along
-- Their rows get a turn and a place (seq) from the next console that sees them.
--
-- Rules of this file
--   * every table says utf8mb4 and a binary collation: default collations take "AbC" and "abc", or two different emoji, for the same
--   * ids made by consoles are ascii_bin
--   * times are DATETIME(3) in UTC; the TIMESTAMP columns of the two tutorial tables are for other programs only
--   * JSON of ours is LONGTEXT: a JSON column would reorder keys and round numbers. Only messages.data, the tutorial's, is JSON,
--     and nothing of ours is ever read back from it
--   * one column or key per line: db:migrate reads this file

-- ---------------------------------------------------------------------------------------------------------------- conversations

CREATE TABLE IF NOT EXISTS conversations (
  id CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  -- Who pays; who speaks; what it is about; whose shop records tools may see.
  tenant VARCHAR(190) NOT NULL DEFAULT 'nimbus',
  actor_type VARCHAR(64) NULL,
  actor_id VARCHAR(190) NULL,
  subject_type VARCHAR(64) NULL,
  subject_id VARCHAR(190) NULL,
  customer_id VARCHAR(190) NULL,
  title MEDIUMTEXT NULL,
  strategy VARCHAR(32) NULL,
  handoff_reason MEDIUMTEXT NULL,
  -- NULL until a console has seen a conversation that another program made.
  started_at DATETIME(3) NULL,
  changed_at DATETIME(3) NULL,
  turn_count INT NOT NULL DEFAULT 0,
  message_count INT NOT NULL DEFAULT 0,
  -- Settings of this conversation alone, as JSON; whether personal data is replaced before it is sent; turns read for memories.
  settings_json LONGTEXT NULL,
  redact TINYINT NOT NULL DEFAULT 1,
  distilled_turn INT NOT NULL DEFAULT 0,
  last_text TEXT NULL,
  last_role VARCHAR(16) NULL,
  -- The last seq given out, and a number that grows with every change: what consoles compare when they pull.
  last_seq INT NOT NULL DEFAULT 0,
  version BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (id),
  KEY conversations_newest (changed_at, id),
  KEY conversations_customer (customer_id),
  KEY conversations_updated (updated_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- User, assistant and tool messages of the main line, read turn by turn.
CREATE TABLE IF NOT EXISTS messages (
  id BIGINT NOT NULL AUTO_INCREMENT,
  conversation_id CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  role VARCHAR(16) NOT NULL,
  -- Exactly the tutorial's keys: role, content, tool_calls [{id, name, arguments}], tool_call_id, name.
  data JSON NOT NULL,
  created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- The message's own id: a repeated id is the same message. NULL, like turn and seq, until a console has seen a foreign row.
  uid VARCHAR(64) NULL,
  turn INT NULL,
  seq INT NULL,
  content LONGTEXT NULL,
  tool_calls LONGTEXT NULL,
  tool_call_id VARCHAR(190) NULL,
  tool_name VARCHAR(190) NULL,
  -- The provider's own message, byte for byte, and its hash.
  provider VARCHAR(64) NULL,
  provider_model VARCHAR(190) NULL,
  provider_body LONGTEXT NULL,
  provider_sha256 CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
  -- customer, human, model, system, import, tool:NAME, article:ID.
  origin VARCHAR(255) NULL,
  trust VARCHAR(16) NULL,
  state VARCHAR(32) NULL,
  sent_at DATETIME(3) NULL,
  -- Length as PHP's json_encode would write it.
  php_chars INT NULL,
  PRIMARY KEY (id),
  UNIQUE KEY messages_seq (conversation_id, seq),
  UNIQUE KEY messages_uid (conversation_id, uid),
  KEY messages_turn (conversation_id, turn, seq),
  KEY messages_unseen (seq, conversation_id),
  CONSTRAINT messages_conversation FOREIGN KEY (conversation_id) REFERENCES conversations (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Answers replaced by a later run of the same turn; kept for traces, never sent.
CREATE TABLE IF NOT EXISTS superseded_messages (
  id BIGINT NOT NULL AUTO_INCREMENT,
  conversation_id CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  role VARCHAR(16) NOT NULL,
  uid VARCHAR(64) NOT NULL,
  turn INT NOT NULL,
  seq INT NOT NULL,
  content LONGTEXT NOT NULL,
  tool_calls LONGTEXT NULL,
  tool_call_id VARCHAR(190) NULL,
  tool_name VARCHAR(190) NULL,
  provider VARCHAR(64) NULL,
  provider_model VARCHAR(190) NULL,
  provider_body LONGTEXT NULL,
  provider_sha256 CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
  origin VARCHAR(255) NOT NULL,
  trust VARCHAR(16) NOT NULL,
  state VARCHAR(32) NULL,
  sent_at DATETIME(3) NOT NULL,
  php_chars INT NOT NULL,
  superseded_at DATETIME(3) NOT NULL,
  PRIMARY KEY (id),
  KEY superseded_messages_turn (conversation_id, turn, seq),
  CONSTRAINT superseded_messages_conversation FOREIGN KEY (conversation_id) REFERENCES conversations (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- running, waiting-approval, answered, handed-off, stopped, interrupted, failed.
CREATE TABLE IF NOT EXISTS turns (
  conversation_id CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  turn INT NOT NULL,
  state VARCHAR(32) NOT NULL,
  outcome VARCHAR(32) NULL,
  run_id VARCHAR(64) NULL,
  prompt_version VARCHAR(64) NULL,
  started_at DATETIME(3) NOT NULL,
  ended_at DATETIME(3) NULL,
  error LONGTEXT NULL,
  pinned TINYINT NOT NULL DEFAULT 0,
  forgotten_at DATETIME(3) NULL,
  -- Older turns the archive gave to this turn's requests: a JSON list of their numbers.
  recalled_turns TEXT NULL,
  PRIMARY KEY (conversation_id, turn),
  KEY turns_state (state, conversation_id),
  KEY turns_pinned (conversation_id, pinned, turn),
  CONSTRAINT turns_conversation FOREIGN KEY (conversation_id) REFERENCES conversations (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Turns that an edited or regenerated turn replaced, from turn on. Nothing of it is sent or searched until somebody goes back to it.
CREATE TABLE IF NOT EXISTS branches (
  id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  conversation_id CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  -- The branch it lies in; NULL: it leaves the active line.
  parent_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
  turn INT NOT NULL,
  -- Place among its siblings; the active one has the number that is missing.
  ordinal INT NOT NULL,
  -- As in conversations, for the time when it is active again.
  distilled_turn INT NOT NULL,
  created_at DATETIME(3) NOT NULL,
  PRIMARY KEY (id),
  KEY branches_conversation (conversation_id, turn),
  CONSTRAINT branches_conversation FOREIGN KEY (conversation_id) REFERENCES conversations (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Columns as in turns.
CREATE TABLE IF NOT EXISTS branch_turns (
  branch_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  conversation_id CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  turn INT NOT NULL,
  state VARCHAR(32) NOT NULL,
  outcome VARCHAR(32) NULL,
  run_id VARCHAR(64) NULL,
  prompt_version VARCHAR(64) NULL,
  started_at DATETIME(3) NOT NULL,
  ended_at DATETIME(3) NULL,
  error LONGTEXT NULL,
  pinned TINYINT NOT NULL DEFAULT 0,
  forgotten_at DATETIME(3) NULL,
  recalled_turns TEXT NULL,
  PRIMARY KEY (branch_id, turn),
  KEY branch_turns_conversation (conversation_id, turn),
  CONSTRAINT branch_turns_branch FOREIGN KEY (branch_id) REFERENCES branches (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Columns as in messages.
CREATE TABLE IF NOT EXISTS branch_messages (
  branch_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  conversation_id CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  role VARCHAR(16) NOT NULL,
  data JSON NOT NULL,
  uid VARCHAR(64) NOT NULL,
  turn INT NOT NULL,
  seq INT NOT NULL,
  content LONGTEXT NOT NULL,
  tool_calls LONGTEXT NULL,
  tool_call_id VARCHAR(190) NULL,
  tool_name VARCHAR(190) NULL,
  provider VARCHAR(64) NULL,
  provider_model VARCHAR(190) NULL,
  provider_body LONGTEXT NULL,
  provider_sha256 CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
  origin VARCHAR(255) NOT NULL,
  trust VARCHAR(16) NOT NULL,
  state VARCHAR(32) NULL,
  sent_at DATETIME(3) NOT NULL,
  php_chars INT NOT NULL,
  PRIMARY KEY (branch_id, seq),
  KEY branch_messages_uid (conversation_id, uid),
  CONSTRAINT branch_messages_branch FOREIGN KEY (branch_id) REFERENCES branches (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Text streamed so far by the run at work; dropped when its message is stored.
CREATE TABLE IF NOT EXISTS streamed_texts (
  conversation_id CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  turn INT NOT NULL,
  content LONGTEXT NOT NULL,
  PRIMARY KEY (conversation_id),
  CONSTRAINT streamed_texts_conversation FOREIGN KEY (conversation_id) REFERENCES conversations (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Customers' messages that arrived while a run was at work, in the order of their id.
CREATE TABLE IF NOT EXISTS queued_messages (
  id BIGINT NOT NULL AUTO_INCREMENT,
  conversation_id CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  uid VARCHAR(64) NOT NULL,
  content LONGTEXT NOT NULL,
  origin VARCHAR(255) NOT NULL,
  trust VARCHAR(16) NOT NULL,
  sent_at DATETIME(3) NOT NULL,
  PRIMARY KEY (id),
  UNIQUE KEY queued_messages_uid (conversation_id, uid),
  CONSTRAINT queued_messages_conversation FOREIGN KEY (conversation_id) REFERENCES conversations (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE IF NOT EXISTS drafts (
  conversation_id CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  content LONGTEXT NOT NULL,
  changed_at DATETIME(3) NOT NULL,
  PRIMARY KEY (conversation_id),
  CONSTRAINT drafts_conversation FOREIGN KEY (conversation_id) REFERENCES conversations (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- What a person has read: the newest turn and the time of its last change. read_at NULL: marked unread by hand.
CREATE TABLE IF NOT EXISTS read_marks (
  conversation_id CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  reader VARCHAR(64) NOT NULL,
  read_at DATETIME(3) NULL,
  read_turn INT NOT NULL,
  PRIMARY KEY (conversation_id, reader),
  CONSTRAINT read_marks_conversation FOREIGN KEY (conversation_id) REFERENCES conversations (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- What a memory strategy keeps for a conversation: summary, watermark, frozen layout.
CREATE TABLE IF NOT EXISTS memory_states (
  conversation_id CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  strategy VARCHAR(32) NOT NULL,
  state_json LONGTEXT NOT NULL,
  PRIMARY KEY (conversation_id, strategy),
  CONSTRAINT memory_states_conversation FOREIGN KEY (conversation_id) REFERENCES conversations (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Search over conversations: the words of titles and messages. The server's own full-text index leaves out two-letter and CJK words.
CREATE TABLE IF NOT EXISTS search_terms (
  term VARCHAR(64) NOT NULL,
  conversation_id CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  PRIMARY KEY (term, conversation_id),
  KEY search_terms_conversation (conversation_id),
  CONSTRAINT search_terms_conversation FOREIGN KEY (conversation_id) REFERENCES conversations (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- ----------------------------------------------------------------------------------------------------------------------- traces

CREATE TABLE IF NOT EXISTS runs (
  id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  conversation_id CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  turn INT NOT NULL,
  question LONGTEXT NOT NULL,
  model VARCHAR(190) NOT NULL,
  started_at DATETIME(3) NOT NULL,
  ended_at DATETIME(3) NULL,
  state VARCHAR(32) NOT NULL,
  outcome VARCHAR(32) NULL,
  steps INT NOT NULL,
  tool_calls INT NOT NULL,
  usage_json TEXT NULL,
  cost_micro_usd BIGINT NULL,
  error LONGTEXT NULL,
  PRIMARY KEY (id),
  KEY runs_newest (conversation_id, turn, started_at, id),
  CONSTRAINT runs_conversation FOREIGN KEY (conversation_id) REFERENCES conversations (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE IF NOT EXISTS spans (
  id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  run_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  parent_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
  kind VARCHAR(32) NOT NULL,
  name VARCHAR(255) NOT NULL,
  step INT NULL,
  started_at DATETIME(3) NOT NULL,
  ended_at DATETIME(3) NULL,
  status VARCHAR(16) NOT NULL,
  first_token_at DATETIME(3) NULL,
  usage_json TEXT NULL,
  cost_micro_usd BIGINT NULL,
  note TEXT NOT NULL,
  error LONGTEXT NULL,
  tool_call_id VARCHAR(190) NULL,
  detail_bytes BIGINT NOT NULL,
  PRIMARY KEY (id),
  KEY spans_run (run_id, started_at, id),
  CONSTRAINT spans_run FOREIGN KEY (run_id) REFERENCES runs (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE IF NOT EXISTS trace_events (
  run_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  seq INT NOT NULL,
  type VARCHAR(32) NOT NULL,
  happened_at DATETIME(3) NOT NULL,
  ms DOUBLE NOT NULL,
  step INT NULL,
  data LONGTEXT NOT NULL,
  PRIMARY KEY (run_id, seq),
  CONSTRAINT trace_events_run FOREIGN KEY (run_id) REFERENCES runs (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE IF NOT EXISTS span_details (
  span_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  request LONGTEXT NOT NULL,
  response LONGTEXT NOT NULL,
  PRIMARY KEY (span_id),
  CONSTRAINT span_details_span FOREIGN KEY (span_id) REFERENCES spans (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Requests as they left: an earlier request, a position in it, and the segments that follow. Segments are stored once per conversation.
CREATE TABLE IF NOT EXISTS request_segments (
  conversation_id CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  number INT NOT NULL,
  sha256 CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  content LONGTEXT NOT NULL,
  PRIMARY KEY (conversation_id, number),
  UNIQUE KEY request_segments_sha256 (conversation_id, sha256),
  CONSTRAINT request_segments_conversation FOREIGN KEY (conversation_id) REFERENCES conversations (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Outlives its conversation: without segments only the hash is left. appended NULL: erased.
CREATE TABLE IF NOT EXISTS archived_requests (
  span_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  conversation_id CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  number INT NOT NULL,
  turn INT NOT NULL,
  parent INT NULL,
  position INT NOT NULL,
  appended MEDIUMTEXT NULL,
  sha256 CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  bytes BIGINT NOT NULL,
  sent_at DATETIME(3) NOT NULL,
  -- answer, or what the console asked a model for itself: summary, distil.
  purpose VARCHAR(16) NOT NULL DEFAULT 'answer',
  -- A JSON list: SHA-256 and bytes of the body that left, provider, model, variant. NULL: none left.
  wire VARCHAR(512) NULL,
  PRIMARY KEY (span_id),
  UNIQUE KEY archived_requests_number (conversation_id, number)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Facts about customers and tenants, each with the turn it came from. A contradicted one is superseded, not overwritten.
CREATE TABLE IF NOT EXISTS memories (
  id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  tenant VARCHAR(190) NOT NULL,
  scope VARCHAR(16) NOT NULL,
  customer_id VARCHAR(190) NULL,
  content MEDIUMTEXT NOT NULL,
  slot VARCHAR(190) NULL,
  trust VARCHAR(16) NOT NULL,
  origin VARCHAR(16) NOT NULL,
  pinned TINYINT NOT NULL,
  superseded_by VARCHAR(64) NULL,
  conversation_id CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NULL,
  turn INT NULL,
  created_at DATETIME(3) NOT NULL,
  changed_at DATETIME(3) NOT NULL,
  PRIMARY KEY (id),
  KEY memories_owner (tenant, customer_id),
  KEY memories_source (conversation_id, turn)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Versions of the system prompt. A text never changes; the version activated last is the standard of conversations that chose none.
CREATE TABLE IF NOT EXISTS prompt_versions (
  version VARCHAR(64) NOT NULL,
  content MEDIUMTEXT NOT NULL,
  author VARCHAR(190) NOT NULL,
  note TEXT NOT NULL,
  based_on VARCHAR(64) NULL,
  created_at DATETIME(3) NOT NULL,
  activated_at DATETIME(3) NULL,
  PRIMARY KEY (version)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- One line per model call. NULL tokens: the provider reported none. Outlives its conversation.
CREATE TABLE IF NOT EXISTS usage_ledger (
  id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  conversation_id CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NULL,
  turn INT NULL,
  run_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
  step INT NULL,
  purpose VARCHAR(32) NOT NULL,
  provider VARCHAR(64) NOT NULL,
  model VARCHAR(190) NOT NULL,
  input_tokens BIGINT NULL,
  cache_read_tokens BIGINT NULL,
  cache_write_tokens BIGINT NULL,
  output_tokens BIGINT NULL,
  reasoning_tokens BIGINT NULL,
  cost_micro_usd BIGINT NULL,
  happened_at DATETIME(3) NOT NULL,
  -- Who paid when the call was made.
  tenant VARCHAR(190) NULL,
  PRIMARY KEY (id),
  KEY usage_ledger_conversation (conversation_id, turn),
  KEY usage_ledger_time (happened_at),
  KEY usage_ledger_tenant (tenant, happened_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- ------------------------------------------------------------------------------------------------------------------------- shop

CREATE TABLE IF NOT EXISTS customers (
  id VARCHAR(190) NOT NULL,
  name VARCHAR(190) NOT NULL,
  email VARCHAR(255) NOT NULL,
  phone VARCHAR(64) NOT NULL,
  city VARCHAR(190) NOT NULL,
  country VARCHAR(64) NOT NULL,
  language VARCHAR(35) NOT NULL,
  PRIMARY KEY (id),
  KEY customers_name (name, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Money is whole minor units (cents) and an ISO 4217 currency.
CREATE TABLE IF NOT EXISTS products (
  id VARCHAR(190) NOT NULL,
  name VARCHAR(255) NOT NULL,
  price_minor BIGINT NOT NULL,
  currency CHAR(3) NOT NULL,
  warranty_months INT NOT NULL,
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE IF NOT EXISTS orders (
  id BIGINT NOT NULL,
  customer_id VARCHAR(190) NOT NULL,
  status VARCHAR(32) NOT NULL,
  -- JSON list of {productId, name, quantity, priceMinor}.
  items LONGTEXT NOT NULL,
  total_minor BIGINT NOT NULL,
  currency CHAR(3) NOT NULL,
  -- Whole UTC days before today: the demo shop never ages.
  paid_days_ago INT NOT NULL,
  PRIMARY KEY (id),
  KEY orders_customer (customer_id, paid_days_ago)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE IF NOT EXISTS articles (
  id VARCHAR(190) NOT NULL,
  title MEDIUMTEXT NOT NULL,
  body LONGTEXT NOT NULL,
  source MEDIUMTEXT NOT NULL,
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Numbered from counters in the same transaction: seeded ones below 5001, the first new one 5001. Changed by compare-and-set on version.
CREATE TABLE IF NOT EXISTS tickets (
  id BIGINT NOT NULL,
  customer_id VARCHAR(190) NULL,
  conversation_id CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NULL,
  order_id BIGINT NULL,
  category VARCHAR(190) NOT NULL,
  summary LONGTEXT NOT NULL,
  status VARCHAR(16) NOT NULL,
  created_at DATETIME(3) NOT NULL,
  updated_at DATETIME(3) NOT NULL,
  version INT NOT NULL,
  -- The server's own time of the last change: what consoles look at when they pull.
  touched_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  PRIMARY KEY (id),
  KEY tickets_customer (customer_id),
  KEY tickets_conversation (conversation_id),
  KEY tickets_touched (touched_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- last_ticket_id, articles_revision, shop_seeded.
CREATE TABLE IF NOT EXISTS counters (
  name VARCHAR(64) NOT NULL,
  value BIGINT NOT NULL,
  PRIMARY KEY (name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE IF NOT EXISTS preferences (
  name VARCHAR(190) NOT NULL,
  value_json LONGTEXT NOT NULL,
  PRIMARY KEY (name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- -------------------------------------------------------------------------------------------------- several consoles, one database

-- Every operation a console uploads, once: the same op again is answered with the stored result.
CREATE TABLE IF NOT EXISTS applied_ops (
  op_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  console_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  conversation_id CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NULL,
  sha256 CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  result LONGTEXT NULL,
  applied_at DATETIME(3) NOT NULL,
  PRIMARY KEY (op_id),
  KEY applied_ops_time (applied_at),
  KEY applied_ops_conversation (conversation_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Which console runs the turn of a conversation, by the server's clock. The row stays after a release: the next fence is one more.
CREATE TABLE IF NOT EXISTS turn_leases (
  conversation_id CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  turn_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  console_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  console_name VARCHAR(190) NOT NULL,
  fence BIGINT NOT NULL,
  expires_at DATETIME(3) NOT NULL,
  PRIMARY KEY (conversation_id),
  CONSTRAINT turn_leases_conversation FOREIGN KEY (conversation_id) REFERENCES conversations (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Answers made while MySQL was away in conversations that went on elsewhere: kept beside the main line for a human.
CREATE TABLE IF NOT EXISTS offline_branches (
  run_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  conversation_id CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  turn INT NOT NULL,
  console_name VARCHAR(190) NOT NULL,
  messages_json LONGTEXT NOT NULL,
  created_at DATETIME(3) NOT NULL,
  PRIMARY KEY (run_id),
  KEY offline_branches_conversation (conversation_id),
  CONSTRAINT offline_branches_conversation FOREIGN KEY (conversation_id) REFERENCES conversations (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Ledger of side effects: started is committed before the call, so an unknown outcome is known to be unknown.
CREATE TABLE IF NOT EXISTS tool_runs (
  conversation_id CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  tool_call_id VARCHAR(190) NOT NULL,
  -- SHA-256 of conversation, turn, approved intent and canonical arguments.
  idem_key CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  args_sha CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  turn INT NOT NULL,
  tool_name VARCHAR(190) NOT NULL,
  -- started, done, failed, unknown.
  state VARCHAR(16) NOT NULL,
  result LONGTEXT NULL,
  started_at DATETIME(3) NOT NULL,
  ended_at DATETIME(3) NULL,
  PRIMARY KEY (conversation_id, tool_call_id),
  UNIQUE KEY tool_runs_idem_key (idem_key),
  CONSTRAINT tool_runs_conversation FOREIGN KEY (conversation_id) REFERENCES conversations (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Conversations deleted by consoles, kept 90 days so that no copy comes back.
CREATE TABLE IF NOT EXISTS tombstones (
  conversation_id CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  deleted_at DATETIME(3) NOT NULL,
  PRIMARY KEY (conversation_id),
  KEY tombstones_time (deleted_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- One row. A console may read when it knows min_reader or later, and write when it knows min_writer or later.
CREATE TABLE IF NOT EXISTS schema_info (
  id INT NOT NULL,
  version INT NOT NULL,
  min_reader INT NOT NULL,
  min_writer INT NOT NULL,
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

INSERT IGNORE INTO counters (name, value) VALUES ('last_ticket_id', 5000);
INSERT INTO schema_info (id, version, min_reader, min_writer) VALUES (1, 2, 1, 2)
  ON DUPLICATE KEY UPDATE min_writer = GREATEST(min_writer, 2), version = GREATEST(version, 2);
