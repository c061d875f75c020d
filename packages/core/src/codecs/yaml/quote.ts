/** Words that YAML 1.1 or 1.2 does not read as strings, in lower or upper case. */
const reserved = new Set([
  "y",
  "n",
  "yes",
  "no",
  "on",
  "off",
  "true",
  "false",
  "null",
  "nan",
  "inf",
]);

/**
 * Matches ordinary words, names and paths: begins with a letter, `_` or `/`, has no `: `, no ` #` and no blank at its
 * end.
 */
const ordinary =
  /^[A-Za-z_/](?:[\w./+=@%$~()-]|:(?=[\w./+=@%$~()-])|,(?=[\w./( ])| (?=[\w./($-]))*$/;
/** Begins with a digit and contains a letter that no number, date or time has: `100m`, `2Gi`. */
const quantity = /^[0-9][\w./-]*$/;
const letterOfNoNumber = /[g-np-su-wyG-NP-SU-WY]/;
/** Matches version numbers and addresses: a number has at most one point. */
const dotted = /^[0-9]+(?:\.[0-9]+){2,}$/;

/** Characters that must be escaped: YAML forbids or folds them, or its readers differ (YAML 1.1, 1.2 and go-yaml). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
const escaped = /["\\\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Returns a scalar that every reader reads as exactly this text: plain where that is safe, otherwise in double quotes. */
export function quoted(text: string): string {
  return isPlain(text) ? text : `"${text.replace(escaped, escapeOf)}"`;
}

/** A longer text is always quoted: it is not a name, and the patterns are meant for short texts. */
const maxPlainLength = 1000;

function isPlain(text: string): boolean {
  if (text.length > maxPlainLength) {
    return false;
  }
  return ordinary.test(text)
    ? !reserved.has(text.toLowerCase())
    : dotted.test(text) || (quantity.test(text) && letterOfNoNumber.test(text));
}

const short: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

// All readers agree on `\x` and `\u`. Servers reject `\/` and escaped surrogate pairs, which JSON has.
function escapeOf(character: string): string {
  const code = character.charCodeAt(0).toString(16);
  return (
    short[character] ??
    (code.length <= 2 ? `\\x${code.padStart(2, "0")}` : `\\u${code.padStart(4, "0")}`)
  );
}

/**
 * Matches text that a block cannot hold unchanged: control characters other than `\n` and `\t`, other line breaks,
 * white space at the beginning, and blanks at the end of a line.
 */
const unfitForBlock = /^\s|[^\n\t\P{C}]|[\p{Zl}\p{Zp}]|[ \t](?:\n|$)/u;

/**
 * Returns a text of several lines as a readable literal block (`|`). `undefined` when it has one line, or when only
 * quotes preserve every character of it.
 *
 * @param indent - indentation of its lines, deeper than that of the enclosing collection.
 */
export function literalBlock(text: string, indent: string): string | undefined {
  if (!text.includes("\n") || unfitForBlock.test(text)) {
    return undefined;
  }
  let end = text.length;
  while (text[end - 1] === "\n") {
    end--;
  }
  const newlines = text.length - end;
  const chomping = newlines === 0 ? "-" : newlines === 1 ? "" : "+";
  const lines = text.slice(0, end).replace(/^(?=.)/gmu, indent);
  return `|${chomping}\n${lines}${"\n".repeat(Math.max(0, newlines - 1))}`;
}
