// One tool call: name, what came back in a few words, time; arguments and result when opened.
import { ChevronRight, ListTree, Wrench } from 'lucide-react';
import { memo, useState } from 'react';
import type { ToolCall } from '../../shared/tool.ts';
import { words } from '../language/language.ts';
import { showToolSpan } from '../state/inspect-actions.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { formatDuration } from '../ui/format.ts';
import { resultInWords, SHOWN_CHARACTERS, toolValue } from './tool-values.ts';

interface ToolCardProps {
  call: ToolCall;
  result: string | null;
  failed: boolean;
  synthetic: boolean;
  ms: number | null;
  running: boolean;
}

export const ToolCard = memo(function ToolCard({ call, result, failed, synthetic, ms, running }: ToolCardProps) {
  const [open, setOpen] = useState(false);
  const outcome =
    running && result === null ? words().turnlook.toolRunning : synthetic ? words().turnlook.toolUnfinished : resultInWords(result);
  return (
    <details className={`tool${failed ? ' failed' : ''}`} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <ChevronRight className="i s chevron" aria-hidden />
        <Wrench className="i m kind k-tool" aria-hidden />
        <code>{call.name}</code>
        <span className="out trunc" dir="auto">
          {outcome}
        </span>
        <span className="time num">
          {running && result === null ? <span className="pulse" aria-hidden /> : ms === null ? '' : formatDuration(ms)}
        </span>
      </summary>
      {open && (
        <div className="io">
          <ToolValueView title={words().turnlook.arguments} value={call.arguments} />
          <button type="button" className="ghost sm" onClick={() => void showToolSpan(call.id)}>
            <ListTree className="i s" aria-hidden />
            {words().trace.showInTrace}
          </button>
          {result === null ? (
            <div className="dim">{words().turnlook.noResult}</div>
          ) : (
            <ToolValueView title={words().turnlook.result} value={result} />
          )}
        </div>
      )}
    </details>
  );
});

export function ToolValueView({ title, value }: { title: string; value: unknown }) {
  const [all, setAll] = useState(false);
  const shown = toolValue(value);
  const text = () => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));
  return (
    <div>
      <div className="io-head">
        <span className="eyebrow">{title}</span>
        <CopyButton text={text} label={words().turnlook.copy(title)} />
      </div>
      {shown.kind === 'rows' ? (
        <dl className="rows mono">
          {shown.rows.map((row) => (
            <div key={row.key}>
              <dt>{row.key}</dt>
              <dd dir="auto">{row.value}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <>
          <pre className="scroll" tabIndex={0} dir="auto">
            {all ? shown.text : shown.text.slice(0, SHOWN_CHARACTERS)}
          </pre>
          {!all && shown.text.length > SHOWN_CHARACTERS && (
            <button type="button" className="ghost sm" onClick={() => setAll(true)}>
              Show all {shown.text.length.toLocaleString('en')} characters
            </button>
          )}
        </>
      )}
    </div>
  );
}
