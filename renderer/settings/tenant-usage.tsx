// What each tenant has used in a period: calls, tokens, money and its share. I/O through the client.
import { useEffect, useState } from 'react';
import { type ErrorInfo, toErrorInfo } from '../../shared/errors.ts';
import { words } from '../language/language.ts';
import { engine } from '../state/actions.ts';
import { formatCost, formatCount, formatPercent, formatReported } from '../ui/format.ts';
import { Group } from './setting-group.tsx';
import { PERIODS, type Period, startOf, type TenantRow, tenantRows } from './tenant-rows.ts';

type Found = { period: Period; rows: TenantRow[] } | { period: Period; error: ErrorInfo };

export function TenantUsage() {
  const [period, setPeriod] = useState<Period>('month');
  const [found, setFound] = useState<Found | null>(null);
  const text = words().customer.usage;
  useEffect(() => {
    let current = true;
    const since = startOf(period, Date.now());
    engine()
      .call('getTenantUsage', since === undefined ? {} : { since })
      .then(
        ({ tenants }) => current && setFound({ period, rows: tenantRows(tenants) }),
        (error: unknown) => current && setFound({ period, error: toErrorInfo(error) }),
      );
    return () => {
      current = false;
    };
  }, [period]);
  const shown = found?.period === period ? found : null;
  return (
    <Group title={text.title}>
      <div className="setting">
        <span className="setting-text">
          <span>{text.period}</span>
          <span className="dim">{text.meaning}</span>
        </span>
        <div className="segments" role="radiogroup" aria-label={text.period}>
          {PERIODS.map((one) => (
            <button key={one} type="button" role="radio" aria-checked={period === one} onClick={() => setPeriod(one)}>
              {text.periods[one]}
            </button>
          ))}
        </div>
      </div>
      <div className="tenant-usage">
        {shown === null && <p className="dim">{words().customer.loading}</p>}
        {shown !== null && 'error' in shown && (
          <p className="bad" role="alert">
            {shown.error.message}
          </p>
        )}
        {shown !== null && 'rows' in shown && (shown.rows.length === 0 ? <p className="dim">{text.none}</p> : <Table rows={shown.rows} />)}
      </div>
    </Group>
  );
}

function Table({ rows }: { rows: readonly TenantRow[] }) {
  const text = words().customer.usage;
  const leftOut = rows.reduce((sum, row) => sum + row.leftOut, 0);
  return (
    <>
      <table aria-label={text.title}>
        <thead>
          <tr>
            {[text.tenant, text.calls, text.input, text.output, text.cost, text.share].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.tenant}>
              <th scope="row">
                <bdi>{row.tenant}</bdi>
              </th>
              <td className="num">{formatCount(row.calls)}</td>
              <td className="num">{formatReported(row.inputTokens)}</td>
              <td className="num">{formatReported(row.outputTokens)}</td>
              <td className="num">{formatCost(row.costMicroUsd)}</td>
              <td className="num">{row.share === null ? '–' : formatPercent(row.share)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {leftOut > 0 && <p className="dim">{text.leftOut(leftOut)}</p>}
    </>
  );
}
