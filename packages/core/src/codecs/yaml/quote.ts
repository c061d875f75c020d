/** Words that YAML 1.1 or 1.2 takes for something else, in any case. */
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

/** A text of ordinary words, names and paths: begins with a letter, has no `: `, no ` #` and no blank at its end. */
const ordinary =
  /^[A-Za-z_/](?:[\w./+=@%$~()-]|:(?=[\w./+=@%$~()-])|,(?=[\w./( ])| (?=[\w./($-]))*$/;
/** Begins with a digit, and some letter in it cannot be of a number, date or time: `100m`, `2Gi`. */
const quantity = /^[0-9][\w./-]*$/;
const letterOfNoNumber = /[g-np-su-wyG-NP-SU-WY]/;
/** Versions and addresses: a number has one point at most. */
const dotted = /^[0-9]+(?:\.[0-9]+){2,}$/;

/** What must be written as an escape: YAML forbids it, folds it, or reads it in two ways (YAML 1.1, 1.2 and go-yaml). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const escaped = /["\\\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** A scalar that every reader takes for this very text: as it is where that is safe, else in double quotes. */
export function quoted(text: string): string {
  return isPlain(text) ? text : `"${text.replace(escaped, escapeOf)}"`;
}

/** A longer text is quoted without a look: it is no name, and the patterns are for short ones. */
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

// `\x` and `\u` mean the same to all; `\/` and pairs of surrogates, which JSON has, are refused by servers.
function escapeOf(character: string): string {
  const code = character.charCodeAt(0).toString(16);
  return (
    short[character] ??
    (code.length <= 2 ? `\\x${code.padStart(2, "0")}` : `\\u${code.padStart(4, "0")}`)
  );
}

/** What a block cannot hold as it is: control characters but `\n` and `\t`, other line breaks, blanks where nobody sees them. */
const unfitForBlock = /^\s|[^\n\t\P{C}]|[\p{Zl}\p{Zp}]|[ \t](?:\n|$)/u;

/**
 * A text of several lines as a literal block (`|`), for people to read. `undefined` when it has one line, or when
 * quotes are the only way to keep every character of it.
 *
 * @param indent - what its lines begin with; more than what is around it has.
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
