// The end of the transcript while a run is at work: tool calls and text that no stored message holds yet.
import { words } from '../language/language.ts';
import { Cloud } from 'lucide-react';
import { StreamingMarkdown } from '../chat/safe-markdown.tsx';
import type { LiveRun } from '../state/console-data.ts';
import { RetryCountdown } from './retry-countdown.tsx';
import { ToolCard } from './tool-card.tsx';

interface LiveTurnProps {
  live: LiveRun;
  modelLabel: string;
  toolTimes: Readonly<Record<string, { ms: number; failed: boolean }>>;
  /** Stored parts of the same turn stand right above: the name is there already. */
  continued: boolean;
}

export function LiveTurn({ live, modelLabel, toolTimes, continued }: LiveTurnProps) {
  return (
    <div className="turn live">
      <div className="msg">
        {continued ? (
          <span />
        ) : (
          <span className="avatar nimbus" aria-hidden>
            <Cloud className="i m" />
          </span>
        )}
        <div className="answer">
          <div className="by">
            {!continued && (
              <>
                <b>Nimbus</b>
                <span className="trunc dim">{modelLabel}</span>
              </>
            )}
            <span className="chip accent">
              <span className="pulse" aria-hidden />
              {live.retry ? words().turnlook.waiting : live.text === '' ? words().turnlook.working : words().turnlook.answering}
              {live.step > 0 ? words().turnlook.step(live.step) : ''}
            </span>
          </div>
          {live.tools.map((tool) => {
            const time = toolTimes[tool.call.id];
            return (
              <ToolCard
                key={tool.call.id}
                call={tool.call}
                result={tool.result}
                failed={time?.failed ?? false}
                synthetic={false}
                ms={time?.ms ?? null}
                running
              />
            );
          })}
          {live.note !== null && <p className="live-note">{live.note}</p>}
          {live.retry && <RetryCountdown key={live.retry.attempt} retry={live.retry} />}
          <div className="body">
            {live.text === '' ? !live.retry && <span className="caret" aria-hidden /> : <StreamingMarkdown text={live.text} />}
          </div>
        </div>
      </div>
    </div>
  );
}
