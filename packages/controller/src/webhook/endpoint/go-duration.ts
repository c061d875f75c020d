const unitMs: Readonly<Record<string, number>> = {
  h: 3_600_000,
  m: 60_000,
  ms: 1,
  ns: 1e-6,
  s: 1_000,
  us: 1e-3,
  µs: 1e-3,
};

/** Returns the milliseconds of a Go duration such as `10s` or `1m30s`; `undefined` for any other text. */
export function goDurationMs(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:h|ms|m|ns|s|us|µs))+$/.test(text)) {
    return undefined;
  }
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|ns|s|us|µs)/g)) {
    total += Number(amount) * (unitMs[unit ?? ""] ?? 0);
  }
  return total;
}
