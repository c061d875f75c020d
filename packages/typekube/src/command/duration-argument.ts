/** Milliseconds of each unit, the longest first. */
const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
] as const;

/**
 * Returns the milliseconds of a duration such as `90s`, `30m`, `1h30m` or `2d`.
 *
 * @throws {Error} for other text.
 */
export function readDuration(text: string): number {
  const found = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text);
  if (text === "" || found === null) {
    throw new Error(`"${text}" is not a duration such as 90s, 30m, 1h30m or 2d`);
  }
  return units.reduce((sum, [, unitMs], at) => sum + Number(found[at + 1] ?? 0) * unitMs, 0);
}

/** Returns a duration with its two longest units, such as `2d4h`. */
export function formatDuration(ms: number): string {
  let left = Math.max(0, ms);
  const parts = units.map(([unit, unitMs]) => {
    const count = Math.floor(left / unitMs);
    left -= count * unitMs;
    return { unit, count };
  });
  const first = parts.findIndex(({ count }) => count > 0);
  return first < 0
    ? "0s"
    : parts
        .slice(first, first + 2)
        .filter(({ count }) => count > 0)
        .map(({ unit, count }) => `${count}${unit}`)
        .join("");
}
