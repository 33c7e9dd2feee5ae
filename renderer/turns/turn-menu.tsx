// The menu of one turn: copy, pin, forget, and the ways to its trace and context. I/O: clipboard.
import { Activity, CircleHelp, Copy, Ellipsis, Eraser, FileText, Layers, Pin, PinOff } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { words } from '../language/language.ts';
import { addNotice } from '../state/actions.ts';
import { forgetTurn, setTurnPinned, showTurn } from '../state/turn-actions.ts';
import { DialogSheet } from '../ui/dialog.tsx';

interface TurnMenuProps {
  conversationId: string;
  turn: number;
  pinned: boolean;
  forgotten: boolean;
  /** A turn at work can be neither pinned nor forgotten. */
  running: boolean;
  /** The model no longer gets the turn as it is stored. */
  unseen: boolean;
  /** "" where there is no answer. */
  answer: string;
  markdown: () => string;
}

export function TurnMenu(props: TurnMenuProps) {
  const { conversationId, turn, pinned, running, answer } = props;
  const [asking, setAsking] = useState(false);
  const { turns } = words();
  return (
    <>
      {/* Not modal: a modal menu adds a style element, which the page's policy refuses. */}
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger className="ghost icon sm turn-menu-button" aria-label={turns.menu(turn)} title={turns.menu(turn)}>
          <Ellipsis className="i m" aria-hidden />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="turn-menu" align="end" sideOffset={4} collisionPadding={8} loop>
            <Item
              icon={<Copy className="i m" aria-hidden />}
              word={turns.copyAnswer}
              disabled={answer === ''}
              onSelect={() => copy(answer)}
            />
            <Item icon={<FileText className="i m" aria-hidden />} word={turns.copyMarkdown} onSelect={() => copy(props.markdown())} />
            <DropdownMenu.Separator className="turn-menu-line" />
            <Item
              icon={pinned ? <PinOff className="i m" aria-hidden /> : <Pin className="i m" aria-hidden />}
              word={pinned ? turns.unpin : turns.pin}
              disabled={running || props.forgotten || turn === 0}
              onSelect={() => void setTurnPinned(conversationId, turn, !pinned)}
            />
            <Item icon={<Activity className="i m" aria-hidden />} word={turns.showTrace} onSelect={() => showTurn(turn, 'trace')} />
            <Item icon={<Layers className="i m" aria-hidden />} word={turns.showContext} onSelect={() => showTurn(turn, 'context')} />
            {props.unseen && (
              <Item icon={<CircleHelp className="i m" aria-hidden />} word={turns.whyNotSeen} onSelect={() => showTurn(turn, 'why')} />
            )}
            <DropdownMenu.Separator className="turn-menu-line" />
            <Item
              icon={<Eraser className="i m" aria-hidden />}
              word={turns.forget}
              disabled={running || props.forgotten}
              onSelect={() => setAsking(true)}
            />
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {asking && <ForgetDialog conversationId={conversationId} turn={turn} onClose={() => setAsking(false)} />}
    </>
  );
}

function Item({ icon, word, disabled, onSelect }: { icon: ReactNode; word: string; disabled?: boolean; onSelect: () => void }) {
  return (
    <DropdownMenu.Item className="turn-menu-item" disabled={disabled ?? false} onSelect={onSelect}>
      {icon}
      {word}
    </DropdownMenu.Item>
  );
}

/** Asks before a turn's texts are taken out of everything stored. */
export function ForgetDialog({ conversationId, turn, onClose }: { conversationId: string; turn: number; onClose: () => void }) {
  const { turns } = words();
  const forget = () => {
    onClose();
    void forgetTurn(conversationId, turn);
  };
  return (
    <DialogSheet title={turns.forgetTitle(turn)} onClose={onClose}>
      <div className="sheet-content turn-forget-warning">
        <p>{turns.forgetWarning}</p>
      </div>
      <footer className="sheet-foot">
        <button type="button" onClick={onClose}>
          {turns.cancel}
        </button>
        <button type="button" className="turn-forget" onClick={forget}>
          {turns.forgetConfirm}
        </button>
      </footer>
    </DialogSheet>
  );
}

function copy(text: string): void {
  navigator.clipboard.writeText(text).catch(() => addNotice('error', words().turns.noClipboard));
}
