import { goQuoteUtf8 } from "../text/go-quote.js";
import { CelFailure } from "../values/cel-failure.js";

/** Part of a URL, which decides what is escaped. */
export type UrlPart = "fragment" | "host" | "path" | "query" | "user" | "zone";

const hostCharacters = "!$&'()*+,;=:[]<>\"";

/** Characters that stand for themselves beside letters, digits and `-_.~`; the sets are those of Go's `net/url`. */
const plainCharacters: Readonly<Record<UrlPart, string>> = {
  fragment: "$&+,/:;=?@!()*",
  host: hostCharacters,
  path: "$&+,/:;=@",
  query: "",
  user: "$&+,;=",
  zone: hostCharacters,
};

/** Returns true if a byte stands for itself in a part of a URL. */
export function isPlain(character: string, part: UrlPart): boolean {
  return /[A-Za-z0-9\-_.~]/.test(character) || plainCharacters[part].includes(character);
}

/** Escapes the bytes (`utf8Text`) that do not stand for themselves. */
export function escapeUrl(bytes: string, part: Exclude<UrlPart, "query">): string {
  let escaped = "";
  for (const byte of bytes) {
    escaped += isPlain(byte, part)
      ? byte
      : `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return escaped;
}

/** Replaces `%41` by its byte, and `+` by a space in a query. Fails for an escape or a byte that the part cannot have. */
export function unescapeUrl(bytes: string, part: UrlPart): string | CelFailure {
  let unescaped = "";
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes.charAt(index);
    if (byte === "%") {
      const sequence = bytes.slice(index, index + 3);
      if (!/^%[0-9A-Fa-f]{2}$/.test(sequence) || !isAllowedEscape(sequence, part)) {
        return new CelFailure(`invalid URL escape ${goQuoteUtf8(sequence)}`);
      }
      unescaped += String.fromCharCode(Number.parseInt(sequence.slice(1), 16));
      index += 2;
    } else if ((part === "host" || part === "zone") && byte < "\u0080" && !isPlain(byte, part)) {
      return new CelFailure(`invalid character ${goQuoteUtf8(byte)} in host name`);
    } else {
      unescaped += byte === "+" && part === "query" ? " " : byte;
    }
  }
  return unescaped;
}

/** A host may escape only bytes above ASCII (RFC 3986), a zone also what a host may have (RFC 6874). */
function isAllowedEscape(sequence: string, part: UrlPart): boolean {
  const byte = String.fromCharCode(Number.parseInt(sequence.slice(1), 16));
  switch (part) {
    case "host":
      return sequence === "%25" || byte >= "\u0080";
    case "zone":
      return sequence === "%25" || byte === " " || isPlain(byte, "host");
    default:
      return true;
  }
}
