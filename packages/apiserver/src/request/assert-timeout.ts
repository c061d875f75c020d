import { badRequest } from "../response/status-errors.js";
import type { ResourceRequest } from "./request-info.js";

/** Subresources whose requests last as long as they like (kube-apiserver's `LongRunningFunc`). */
const longSubresources = new Set(["attach", "exec", "log", "portforward", "proxy"]);

/**
 * Checks the parameter `timeout` of a request that does not stay open. A real server does so before it looks at
 * credentials or at what is requested; requests here are done at once, so a good timeout has no effect.
 *
 * @throws {StatusError} 400 for a timeout that is no duration of Go.
 */
export function assertTimeout(query: URLSearchParams, request: ResourceRequest | undefined): void {
  const timeout = query.get("timeout") ?? "";
  const isLong =
    request !== undefined &&
    (request.verb === "watch" || longSubresources.has(request.subresource));
  const problem = timeout === "" || isLong ? undefined : durationProblem(timeout);
  if (problem !== undefined) {
    throw badRequest(`invalid timeout specified in the request URL - time: ${problem}`);
  }
}

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
/** Digits that a whole number of nanoseconds has at most. */
const maxDigits = 19;
const maxDuration = 2n ** 63n;

/** Why Go's `time.ParseDuration` refuses a text; undefined for a duration. */
function durationProblem(text: string): string | undefined {
  const isNegative = text.startsWith("-");
  const body = text.replace(/^[-+]/, "");
  const invalid = `invalid duration ${quoted(text)}`;
  if (body === "0") {
    return undefined;
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
      return `missing unit in duration ${quoted(text)}`;
    }
    const length = Object.hasOwn(nanoseconds, unit) ? nanoseconds[unit] : undefined;
    if (length === undefined) {
      return `unknown unit ${quoted(unit)} in duration ${quoted(text)}`;
    }
    const more = Math.floor(Number(`0.${fraction || 0}`) * Number(length));
    total += BigInt(digits || 0) * length + BigInt(more);
    if (total > maxDuration) {
      return invalid;
    }
  }
  return total === maxDuration && !isNegative ? invalid : undefined;
}

/** Quotes a text as Go's `time` package does: byte by byte. */
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
