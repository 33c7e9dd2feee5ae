// Why a turn failed, in full, and the way to where it can be mended.
import { words } from '../language/language.ts';
import { Settings } from 'lucide-react';
import type { ErrorCode, ErrorInfo } from '../../shared/errors.ts';
import { showDialog } from '../state/actions.ts';

/** Troubles that end in the settings: a key, a model, an account. */
const SETTLED_IN_SETTINGS: readonly ErrorCode[] = ['model-auth', 'model-quota', 'model-invalid-request', 'model-context-too-long'];

export function TurnError({ error, isNewest }: { error: ErrorInfo; isNewest: boolean }) {
  return (
    <div className="turn-error">
      <span>{error.message}</span>
      {isNewest && SETTLED_IN_SETTINGS.includes(error.code) && (
        <button type="button" className="sm" onClick={() => showDialog('settings')}>
          <Settings className="i s" aria-hidden />
          {words().turnlook.openSettings}
        </button>
      )}
    </div>
  );
}
