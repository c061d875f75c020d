const unitSeconds: Readonly<Record<string, number>> = { h: 3_600, m: 60, s: 1 };

/**
 * Returns the seconds of a duration such as `"90s"`, `"5m"` or `"1h30m"`, rounded up; `undefined` when it is not one, or
 * is zero.
 */
export function sinceSecondsOf(duration: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?[hms])+$/.test(duration)) {
    return undefined;
  }
  const parts = duration.matchAll(/([\d.]+)([hms])/g);
  const seconds = [...parts].reduce(
    (sum, [, amount, unit = "s"]) => sum + Number(amount) * (unitSeconds[unit] ?? 0),
    0,
  );
  return seconds > 0 ? Math.ceil(seconds) : undefined;
}
