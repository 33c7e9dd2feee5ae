// Saves the conversation as a tape: a redacted recording that plays offline. I/O: asks the engine, hands the file to the browser.
import { CassetteTape } from 'lucide-react';
import { useState } from 'react';
import { toErrorInfo } from '../../shared/errors.ts';
import { addNotice, engine } from '../state/actions.ts';
import { plural } from '../ui/format.ts';
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
      const { text, redactions } = await engine().call('exportTape', { conversationId });
      handOver(tapeFileName(title), text);
      const words = redactions === 0 ? 'nothing had to be blanked' : `${plural(redactions, 'place')} blanked`;
      addNotice('info', `Saved as a tape: ${words}. Import it under Settings, Models, Recorded conversation.`);
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
      aria-label="Save as tape"
      title="Save as tape: a redacted recording that plays offline"
      disabled={busy || disabled}
      onClick={() => void save()}
    >
      <CassetteTape className="i" aria-hidden />
    </button>
  );
}
