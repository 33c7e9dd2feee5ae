// One memory: the fact, whose it is, where it comes from; edited in place, deleted after a question.
import { Pin, PinOff, SquarePen, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Memory } from '../../shared/memories.ts';
import { scrollToTurn } from '../chat/transcript.tsx';
import { words } from '../language/language.ts';
import { changePreferences, engine, openConversation } from '../state/actions.ts';
import { formatTurnTime } from '../ui/format.ts';
import { useToday } from '../ui/hooks.ts';

interface MemoryRowProps {
  memory: Memory;
  successor: Memory | undefined;
  nameOf: (customerId: string) => string;
  change: (work: () => Promise<unknown>) => Promise<boolean>;
}

export function MemoryRow({ memory, successor, nameOf, change }: MemoryRowProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const text = words().memories;
  const memoryId = memory.id;
  const save = async () => {
    const fact = (draft ?? '').trim();
    if (fact === '' || fact === memory.text) return setDraft(null);
    if (await change(() => engine().call('editMemory', { memoryId, text: fact }))) setDraft(null);
  };
  return (
    <li className={`memory${memory.supersededBy === null ? '' : ' old'}`} aria-label={memory.text}>
      <div className="memory-body">
        {draft === null ? (
          <p dir="auto">{memory.text}</p>
        ) : (
          <textarea
            aria-label={text.edit}
            rows={2}
            maxLength={1000}
            dir="auto"
            autoFocus
            value={draft}
            onChange={(event) => setDraft(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Escape') setDraft(null);
              if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
                event.preventDefault();
                void save();
              }
            }}
          />
        )}
        <Facts memory={memory} nameOf={nameOf} />
        {successor !== undefined && (
          <p className="dim" dir="auto">
            {text.supersededBy(successor.text)}
          </p>
        )}
      </div>
      {asking ? (
        <div className="memory-actions" role="group" aria-label={text.reallyDelete}>
          <span>{text.reallyDelete}</span>
          <button type="button" className="sm" autoFocus onClick={() => setAsking(false)}>
            {words().shell.keepIt}
          </button>
          <button type="button" className="sm danger" onClick={() => void change(() => engine().call('deleteMemory', { memoryId }))}>
            {words().shell.deleteIt}
          </button>
        </div>
      ) : draft === null ? (
        <Actions memory={memory} change={change} onEdit={() => setDraft(memory.text)} onDelete={() => setAsking(true)} />
      ) : (
        <div className="memory-actions">
          <button type="button" className="sm" onClick={() => setDraft(null)}>
            {text.cancel}
          </button>
          <button type="button" className="sm primary" onClick={() => void save()}>
            {text.save}
          </button>
        </div>
      )}
    </li>
  );
}

function Facts({ memory, nameOf }: Pick<MemoryRowProps, 'memory' | 'nameOf'>) {
  const text = words().memories;
  const today = useToday();
  const { conversationId, turn } = memory;
  const open = async () => {
    if (conversationId === null) return;
    changePreferences({ area: 'conversations' });
    await openConversation(conversationId);
    if (turn !== null) requestAnimationFrame(() => scrollToTurn(turn));
  };
  return (
    <p className="memory-facts">
      {memory.pinned && <span className="chip">{text.pinned}</span>}
      <span dir="auto">{memory.customerId === null ? text.ofTenant(memory.tenant) : nameOf(memory.customerId)}</span>
      <span>{text.origins[memory.origin]}</span>
      <span>{text.trusts[memory.trust]}</span>
      <span className="num">{formatTurnTime(memory.changedAt, today)}</span>
      {conversationId !== null && (
        <button type="button" className="ghost sm" onClick={() => void open()}>
          {turn === null ? text.source : text.sourceTurn(turn)}
        </button>
      )}
    </p>
  );
}

interface ActionsProps {
  memory: Memory;
  change: MemoryRowProps['change'];
  onEdit: () => void;
  onDelete: () => void;
}

function Actions({ memory, change, onEdit, onDelete }: ActionsProps) {
  const text = words().memories;
  const { pinned, id: memoryId } = memory;
  const pin = pinned ? text.unpin : text.pin;
  return (
    <div className="memory-actions">
      <button
        type="button"
        className="ghost icon"
        aria-label={pin}
        title={pin}
        onClick={() => void change(() => engine().call('pinMemory', { memoryId, pinned: !pinned }))}
      >
        {pinned ? <PinOff className="i m" aria-hidden /> : <Pin className="i m" aria-hidden />}
      </button>
      <button type="button" className="ghost icon" aria-label={text.edit} title={text.edit} onClick={onEdit}>
        <SquarePen className="i m" aria-hidden />
      </button>
      <button type="button" className="ghost icon" aria-label={text.delete} title={text.delete} onClick={onDelete}>
        <Trash2 className="i m" aria-hidden />
      </button>
    </div>
  );
}
