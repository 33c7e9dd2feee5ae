/** Pure: amounts in integer minor units as text. */

/** Digits after the point; 2 where the currency code is unknown to the platform. */
function fractionDigits(currency: string): number {
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
}

/** `6490, "EUR"` → `"64.90 EUR"`; `500, "JPY"` → `"500 JPY"`. No grouping, so that a model and a program read it the same way. */
export function formatMoney(minor: number, currency: string): string {
  const digits = fractionDigits(currency);
  const sign = minor < 0 ? '-' : '';
  const text = String(Math.abs(Math.trunc(minor))).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  return `${sign}${digits === 0 ? whole : `${whole}.${text.slice(-digits)}`} ${currency}`;
}
