import { goQuoteUtf8 } from "../text/go-quote.js";
import { CelFailure } from "../values/cel-failure.js";

/** Part of a URL, which decides what is escaped. */
export type UrlPart = "fragment" | "host" | "path" | "query" | "user" | "zone";

/** Matches bytes that do not stand for themselves; the sets are those of Go's `net/url`. */
const escapedBytes: Readonly<Record<Exclude<UrlPart, "query">, RegExp>> = {
  fragment: /[^A-Za-z0-9\-_.~$&+,/:;=?@!()*]/g,
  host: /[^A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]/g,
  path: /[^A-Za-z0-9\-_.~$&+,/:;=@]/g,
  user: /[^A-Za-z0-9\-_.~$&+,;=]/g,
  zone: /[^A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]/g,
};

/** Escapes the bytes (`utf8Text`) that do not stand for themselves. */
export function escapeUrl(bytes: string, part: Exclude<UrlPart, "query">): string {
  return bytes.replace(
    escapedBytes[part],
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}

/** Replaces `%41` by its byte, and `+` by a space in a query. Fails for an escape or a byte that the part cannot have. */
export function unescapeUrl(bytes: string, part: UrlPart): string | CelFailure {
  const wrong =
    part === "host" || part === "zone" ? hostProblem(bytes, part) : escapeProblem(bytes);
  if (wrong !== undefined) {
    return wrong;
  }
  const text = part === "query" ? bytes.replace(/\+/g, " ") : bytes;
  return text.replace(/%(..)/g, (_, digits: string) => byteOf(digits));
}

function byteOf(digits: string): string {
  return String.fromCharCode(Number.parseInt(digits, 16));
}

/** Returns the problem of the first percent sign without two digits. */
function escapeProblem(bytes: string): CelFailure | undefined {
  const at = bytes.search(/%(?![0-9A-Fa-f]{2})/);
  return at < 0 ? undefined : invalidEscape(bytes.slice(at, at + 3));
}

/** Returns the problem of the first escape or character that a host cannot have. */
function hostProblem(bytes: string, part: "host" | "zone"): CelFailure | undefined {
  for (const [found] of bytes.matchAll(
    /%.{0,2}|[^A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"\u0080-\u00ff]/gs,
  )) {
    if (!found.startsWith("%")) {
      return new CelFailure(`invalid character ${goQuoteUtf8(found)} in host name`);
    }
    if (!/^%[0-9A-Fa-f]{2}$/.test(found) || !isAllowedEscape(found, part)) {
      return invalidEscape(found);
    }
  }
  return undefined;
}

function invalidEscape(sequence: string): CelFailure {
  return new CelFailure(`invalid URL escape ${goQuoteUtf8(sequence)}`);
}

/** A host may escape only bytes above ASCII (RFC 3986), a zone also what a host may have (RFC 6874). */
function isAllowedEscape(sequence: string, part: "host" | "zone"): boolean {
  const byte = byteOf(sequence.slice(1));
  return (
    sequence === "%25" ||
    (part === "host" ? byte >= "\u0080" : byte === " " || byte.search(escapedBytes.host) < 0)
  );
}
