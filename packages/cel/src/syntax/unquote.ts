const simpleEscapes: ReadonlyMap<string, number> = new Map([
  ["a", 7],
  ["b", 8],
  ["f", 12],
  ["n", 10],
  ["r", 13],
  ["t", 9],
  ["v", 11],
  ["\\", 0x5c],
  ["'", 0x27],
  ['"', 0x22],
  ["`", 0x60],
  ["?", 0x3f],
]);

/** The content of a string or bytes literal, without its quotes. */
interface Quoted {
  readonly body: string;
  readonly raw: boolean;
}

/**
 * Returns the value of a string literal's text, for example `r"a"` or `'''b'''`.
 *
 * @returns The value, or a problem if an sequence names no code point.
 */
export function unquoteString(
  literal: string,
): { readonly value: string } | { readonly problem: string } {
  const { body, raw } = strip(literal);
  if (raw || !body.includes("\\")) {
    return { value: body };
  }
  let invalid = false;
  const value = body.replace(escapePattern, (sequence: string) => {
    const code = codeOf(sequence);
    invalid ||= code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff);
    return invalid ? "" : String.fromCodePoint(code);
  });
  return invalid ? { problem: "invalid unicode code point" } : { value };
}

/** Returns the value of a bytes literal's text behind the `b`: escapes are bytes, other characters are UTF-8. */
export function unquoteBytes(
  literal: string,
): { readonly value: Uint8Array } | { readonly problem: string } {
  const { body, raw } = strip(literal);
  const encoder = new TextEncoder();
  if (raw || !body.includes("\\")) {
    return { value: encoder.encode(body) };
  }
  const parts: Uint8Array[] = [];
  let last = 0;
  for (const match of body.matchAll(escapePattern)) {
    const [sequence] = match;
    if (sequence.startsWith("\\u") || sequence.startsWith("\\U")) {
      return { problem: "unable to unescape string" };
    }
    parts.push(encoder.encode(body.slice(last, match.index)), Uint8Array.of(codeOf(sequence)));
    last = match.index + sequence.length;
  }
  parts.push(encoder.encode(body.slice(last)));
  return { value: new Uint8Array(parts.flatMap((part) => [...part])) };
}

const escapePattern =
  /\\(?:[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2}|[abfnrtv\\'"`?])/g;

function codeOf(sequence: string): number {
  const letter = sequence.charAt(1);
  if (letter >= "0" && letter <= "3") {
    return Number.parseInt(sequence.slice(1), 8);
  }
  const simple = sequence.length === 2 ? simpleEscapes.get(letter) : undefined;
  return simple ?? Number.parseInt(sequence.slice(2), 16);
}

/** Removes prefix and quotes; line ends become "\n". */
function strip(literal: string): Quoted {
  const raw = literal.startsWith("r") || literal.startsWith("R");
  const quoted = raw ? literal.slice(1) : literal;
  const width = quoted.length >= 6 && /^(?:'''|""")/.test(quoted) ? 3 : 1;
  return { raw, body: quoted.slice(width, -width).replace(/\r\n?/g, "\n") };
}
