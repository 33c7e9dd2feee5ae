// Takes a tape file a person chose into the list of recorded conversations. I/O: reads the file, asks the engine.
import { words } from '../language/language.ts';
import { FileUp } from 'lucide-react';
import { type ChangeEvent, useRef, useState } from 'react';
import { toErrorInfo } from '../../shared/errors.ts';
import type { TapeView } from '../../shared/models.ts';
import { engine } from '../state/actions.ts';
import { formatCount } from '../ui/format.ts';

export function TapeImport({ onImport }: { onImport: (tape: TapeView) => void }) {
  const file = useRef<HTMLInputElement>(null);
  const [note, setNote] = useState<{ ok: boolean; text: string } | null>(null);
  const read = async (event: ChangeEvent<HTMLInputElement>) => {
    const field = event.currentTarget;
    const [chosen] = field.files ?? [];
    if (chosen === undefined) return;
    try {
      const { tape } = await engine().call('importTape', { text: await chosen.text() });
      setNote({ ok: true, text: words().models.imported(tape.title, formatCount(tape.turns), tape.turns === 1, tape.model) });
      onImport(tape);
    } catch (error) {
      setNote({ ok: false, text: words().models.notImported(chosen.name, toErrorInfo(error).message) });
    } finally {
      // The same file can be chosen again after it was mended.
      field.value = '';
    }
  };
  return (
    <div className="form-row">
      <div className="form-fields">
        <button type="button" onClick={() => file.current?.click()}>
          <FileUp className="i s" aria-hidden />
          {words().models.importTape}
        </button>
        <input
          ref={file}
          type="file"
          hidden
          accept=".json,application/json"
          aria-label={words().models.tapeFile}
          onChange={(event) => void read(event)}
        />
      </div>
      {note !== null && (
        <p className={note.ok ? 'form-note' : 'bad'} role={note.ok ? 'status' : 'alert'}>
          {note.text}
        </p>
      )}
    </div>
  );
}
