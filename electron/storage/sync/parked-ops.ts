/** Does I/O: changes that need a person, and answers that found no place, as people see them. */
import type { NewMessage } from '../../../shared/conversation.ts';
import { ConsoleError } from '../../../shared/errors.ts';
import type { ParkedOp } from '../../../shared/sync.ts';
import type { SyncControl } from '../../engine/ports.ts';
import { shortened } from '../clean.ts';
import type { OutboxEntry } from './operation.ts';
import { isConversationLane } from './routes.ts';
import type { SyncCore } from './sync-core.ts';

const TEXT_LENGTH = 160;
const MOST_DRAFTS = 200;
const DRAFT_REASON = 'The conversation went on elsewhere while MySQL was away, so this answer was not added to it.';

interface BranchRow {
  run_id: string;
  conversation_id: string;
  console_name: string;
  messages_json: string;
  created_at: number;
}

export function syncControl(core: SyncCore): SyncControl {
  return {
    status: () => core.status(),
    listParked: async () => {
      const stopped = (await core.local.outbox.stopped()).map(parkedOf);
      return [...stopped, ...(await branches(core)).map(draftOf)];
    },
    retry: async (id) => {
      await stoppedEntry(core, id);
      await core.retry(id);
    },
    export: async (id) => {
      const branch = (await branches(core)).find((row) => row.run_id === id);
      if (branch !== undefined)
        return JSON.stringify({ ...draftOf(branch), messages: JSON.parse(branch.messages_json) as unknown }, null, 2);
      const entry = await stoppedEntry(core, id);
      return JSON.stringify({ ...parkedOf(entry), change: entry.kind, parameters: JSON.parse(entry.payload) as unknown }, null, 2);
    },
    discard: async (id) => {
      await stoppedEntry(core, id);
      await core.discard(id);
    },
  };
}

async function stoppedEntry(core: SyncCore, id: string): Promise<OutboxEntry> {
  const entry = (await core.local.outbox.stopped()).find((each) => each.id === id);
  if (entry !== undefined) return entry;
  if ((await branches(core)).some((row) => row.run_id === id)) {
    throw new ConsoleError('unsupported', 'A kept draft cannot be sent; export it, or write the answer yourself.');
  }
  throw new ConsoleError('not-found', 'This change does not wait any more.');
}

async function branches(core: SyncCore): Promise<BranchRow[]> {
  if (!core.isOnline) return [];
  const sql = `SELECT run_id, conversation_id, console_name, messages_json, created_at FROM offline_branches ORDER BY created_at DESC LIMIT ?`;
  const rows = await core.shared.read((session) => session.all<BranchRow>(sql, MOST_DRAFTS));
  return rows.filter((row) => row.messages_json !== '[]');
}

function draftOf(row: BranchRow): ParkedOp {
  const messages = JSON.parse(row.messages_json) as NewMessage[];
  const text = messages.findLast((message) => message.role === 'assistant' && message.content !== '')?.content ?? '';
  return {
    id: row.run_id,
    kind: 'draft',
    conversationId: row.conversation_id,
    what: `answer made on ${row.console_name}`,
    reason: DRAFT_REASON,
    text: shortened(text, TEXT_LENGTH),
    at: row.created_at,
  };
}

function parkedOf(entry: OutboxEntry): ParkedOp {
  const lane = entry.conversationId ?? '';
  return {
    id: entry.id,
    kind: entry.state === 'rejected' ? 'rejected' : 'parked',
    conversationId: isConversationLane(lane) ? lane : null,
    what: WORDS[entry.kind] ?? (lane.startsWith('ticket ') ? lane : 'change'),
    reason: entry.reason ?? '',
    text: shortened(textOf(entry), TEXT_LENGTH),
    at: entry.at,
  };
}

const WORDS: Partial<Record<OutboxEntry['kind'], string>> = {
  'conversations.create': 'new conversation',
  'conversations.accept': 'message',
  'conversations.append': 'answer',
  'conversations.endTurn': 'answer',
  'conversations.insertWhole': 'imported conversation',
  'conversations.delete': 'deletion',
};

/** The first text of its messages. */
function textOf(entry: OutboxEntry): string {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const content: unknown = Reflect.get(value, 'content');
    if (typeof content === 'string' && content !== '') found.push(content);
    for (const part of Object.values(value) as unknown[]) visit(part);
  };
  try {
    visit(JSON.parse(entry.payload));
  } catch {
    return '';
  }
  return found[0] ?? '';
}
