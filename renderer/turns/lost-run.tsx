// An answer whose engine cannot be reached: what came of it so far, and that nobody knows more.
import { words } from '../language/language.ts';
import { Unplug } from 'lucide-react';
import { SafeMarkdown } from '../chat/safe-markdown.tsx';

export function LostRun({ text }: { text: string }) {
  return (
    <div className="turn live">
      <div className="msg">
        <span className="avatar nimbus" aria-hidden>
          <Unplug className="i m" />
        </span>
        <div className="answer">
          <div className="by">
            <b>Nimbus</b>
            <span className="chip warn">{words().turnlook.lost}</span>
          </div>
          {text !== '' && (
            <div className="body marked">
              <SafeMarkdown text={text} />
            </div>
          )}
        </div>
      </div>
    </div>
  );
}
