// What each tenant has used, as rows of a table. Pure.
import type { UsageTotals } from '../../shared/usage.ts';

export const PERIODS = ['today', 'week', 'month', 'all'] as const;
export type Period = (typeof PERIODS)[number];

const DAY_MS = 86_400_000;
const DAYS = { today: 1, week: 7, month: 30 } as const;

/** Start of a period that ends with the present UTC day; undefined: from the beginning. UTC milliseconds. */
export function startOf(period: Period, now: number): number | undefined {
  return period === 'all' ? undefined : Math.floor(now / DAY_MS) * DAY_MS - (DAYS[period] - 1) * DAY_MS;
}

export interface TenantRow {
  tenant: string;
  calls: number;
  /** null: calls were made and none of them reported its tokens. */
  inputTokens: number | null;
  outputTokens: number | null;
  /** null: calls were made and none of them has a known price. */
  costMicroUsd: number | null;
  /** Of the money of all tenants, 0 to 1; null while no money is known. */
  share: number | null;
  /** Calls that the sums leave out, because tokens or price are not known. */
  leftOut: number;
}

/** The dearest first, then the one with most tokens, then by name; tenants that made no call are left out. */
export function tenantRows(tenants: readonly { tenant: string; totals: UsageTotals }[]): TenantRow[] {
  const money = tenants.reduce((sum, { totals }) => sum + totals.costMicroUsd, 0);
  return tenants
    .filter(({ totals }) => totals.calls > 0)
    .map(({ tenant, totals }): TenantRow => {
      const isReported = totals.unknownCalls < totals.calls;
      const isPriced = totals.unpricedCalls < totals.calls;
      return {
        tenant,
        calls: totals.calls,
        inputTokens: isReported ? totals.inputTokens : null,
        outputTokens: isReported ? totals.outputTokens : null,
        costMicroUsd: isPriced ? totals.costMicroUsd : null,
        share: isPriced && money > 0 ? totals.costMicroUsd / money : null,
        leftOut: Math.max(totals.unknownCalls, totals.unpricedCalls),
      };
    })
    .toSorted(
      (a, b) =>
        (b.costMicroUsd ?? -1) - (a.costMicroUsd ?? -1) || (b.inputTokens ?? 0) - (a.inputTokens ?? 0) || a.tenant.localeCompare(b.tenant),
    );
}
