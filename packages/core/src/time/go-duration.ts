const nanoseconds: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const part = /([0-9]*)(?:\.([0-9]*))?([^.0-9]*)/y;
/** Maximum number of digits in a whole number of nanoseconds. */
const maxDigits = 19;
const maxDuration = 2n ** 63n;

/** A duration, or the reason why a text is not one. */
export type GoDuration =
  | { readonly nanoseconds: bigint; readonly problem?: undefined }
  | { readonly problem: string };

/**
 * Parses a duration like Go's `time.ParseDuration`: `1h30m`, `-1.5s`, at most 292 years.
 *
 * @returns a problem with Go's message, without the prefix `time: `.
 */
export function readGoDuration(text: string): GoDuration {
  const isNegative = text.startsWith("-");
  const body = text.replace(/^[-+]/, "");
  const invalid = { problem: `invalid duration ${quoted(text)}` };
  if (body === "0") {
    return { nanoseconds: 0n };
  }
  let total = 0n;
  for (let at = 0; at < body.length || at === 0; at = part.lastIndex) {
    part.lastIndex = at;
    const [, whole = "", fraction = "", unit = ""] = part.exec(body) ?? [];
    const digits = whole.replace(/^0+/, "");
    if ((whole === "" && fraction === "") || digits.length > maxDigits) {
      return invalid;
    }
    if (unit === "") {
      return { problem: `missing unit in duration ${quoted(text)}` };
    }
    const length = Object.hasOwn(nanoseconds, unit) ? nanoseconds[unit] : undefined;
    if (length === undefined) {
      return { problem: `unknown unit ${quoted(unit)} in duration ${quoted(text)}` };
    }
    const more = Math.floor(Number(`0.${fraction || 0}`) * Number(length));
    total += BigInt(digits || 0) * length + BigInt(more);
    if (total > maxDuration) {
      return invalid;
    }
  }
  return total === maxDuration && !isNegative
    ? invalid
    : { nanoseconds: isNegative ? -total : total };
}

/** Quotes a text byte by byte, like Go's `time` package. */
function quoted(text: string): string {
  const bytes = [...Buffer.from(text)].map((byte) => {
    const rune = String.fromCharCode(byte);
    if (byte < 0x20 || byte >= 0x80) {
      return `\\x${byte.toString(16).padStart(2, "0")}`;
    }
    return rune === '"' || rune === "\\" ? `\\${rune}` : rune;
  });
  return `"${bytes.join("")}"`;
}
