/**
 * Parses a `Retry-After` header to milliseconds: seconds, or an HTTP date relative to `nowMs`. Returns `undefined` when
 * it is missing or invalid. client-go ignores dates; gateways send them.
 */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+$/.test(text)) {
    return Number(text) * 1000;
  }
  // Date.parse accepts "-5" as a year and "soon 1" as a day; the oldest date format of HTTP has no zone and means GMT.
  const date = /^(?:mon|tue|wed|thu|fri|sat|sun)/i.test(text)
    ? Date.parse(/:\d\d \d{4}$/.test(text) ? `${text} GMT` : text)
    : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
