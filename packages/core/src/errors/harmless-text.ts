/**
 * Matches control characters, which begin terminal escape sequences, and bidirectional controls, which change the order
 * in which text is shown. Line feeds and tabs are allowed.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
const harmful = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Makes text from a server, a file or a plugin safe for a terminal: harmful characters become visible escapes, carriage
 * returns are removed.
 */
export function harmless(text: string): string {
  return text.replace(harmful, (char) => {
    const code = char.charCodeAt(0);
    if (char === "\r") {
      return "";
    }
    return code < 0x100 ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`;
  });
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}
