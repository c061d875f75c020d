/**
 * A `Retry-After` header in milliseconds: seconds or an HTTP date, counted from `nowMs`. `undefined` when
 * there is none that can be read. client-go ignores dates; gateways send them.
 */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+$/.test(text)) {
    return Number(text) * 1000;
  }
  // Date.parse takes "-5" for a year and "soon 1" for a day; the oldest form of HTTP names no zone and means GMT.
  const date = /^(?:mon|tue|wed|thu|fri|sat|sun)/i.test(text)
    ? Date.parse(/:\d\d \d{4}$/.test(text) ? `${text} GMT` : text)
    : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
