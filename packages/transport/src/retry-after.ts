/**
 * A `Retry-After` header in milliseconds: seconds or an HTTP date, counted from `nowMs`. `undefined` when
 * there is none that can be read. client-go ignores dates; gateways send them.
 */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+$/.test(text)) {
    return Number(text) * 1000;
  }
  // Dates begin with the name of a day; Date.parse alone would take "-5" for a year.
  const date = /^[A-Za-z]/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
