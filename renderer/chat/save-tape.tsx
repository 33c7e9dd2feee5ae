// Saves the conversation as a tape: a redacted recording that plays offline. I/O: asks the engine, hands the file to the browser.
import { words } from '../language/language.ts';
import { CassetteTape } from 'lucide-react';
import { useState } from 'react';
import { toErrorInfo } from '../../shared/errors.ts';
import { addNotice, engine } from '../state/actions.ts';
import { formatCount } from '../ui/format.ts';
import { handOver } from '../ui/hand-over.ts';

/** `refund-for-1043.tape.json` */
export function tapeFileName(title: string): string {
  const slug = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, 40)
    .replaceAll(/^-+|-+$/g, '');
  return `${slug === '' ? 'conversation' : slug}.tape.json`;
}

export function SaveTapeButton({ conversationId, title, disabled }: { conversationId: string; title: string; disabled: boolean }) {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      const { text: tape, redactions } = await engine().call('exportTape', { conversationId });
      handOver(tapeFileName(title), tape);
      const text = words().pane;
      const blanked = redactions === 0 ? text.tapeClean : text.tapeBlanked(formatCount(redactions), redactions === 1);
      addNotice('info', text.tapeSaved(blanked));
    } catch (error) {
      addNotice('error', toErrorInfo(error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <button
      type="button"
      className="ghost icon"
      aria-label={words().pane.saveTape}
      title={words().pane.saveTapeHint}
      disabled={busy || disabled}
      onClick={() => void save()}
    >
      <CassetteTape className="i" aria-hidden />
    </button>
  );
}
