/** Characters that end a line in YAML 1.1 and are ordinary in YAML 1.2. */
const oldBreak = /[\u0085\u2028\u2029]/;
const separator = /[\u2028\u2029]/;
const anyBreak = /\r\n|[\n\r\u0085\u2028\u2029]/g;

/** Matches a line that ends with the header of a block scalar (`key: |2-`). */
const blockHeader = /(?:^|[ \t])[|>](?:([1-9])[-+]?|[-+]([1-9])?)?[ \t]*(?:[ \t]#.*)?$/;

/**
 * Returns the text for a parser of YAML 1.2. API servers write U+2028 and U+2029 unescaped, as line breaks of YAML 1.1,
 * and indent the text after them. In block scalars they become newlines, so that the parser finds the end of the block;
 * in quoted scalars they stay, see {@link foldedValue}. All positions stay the same.
 */
export function withBlockBreaks(text: string): string {
  if (!oldBreak.test(text)) {
    return text;
  }
  const pieces: string[] = [];
  /** Indentation of the block being read; -1 while its first line is unknown. */
  let indent: number | undefined;
  let start = 0;
  for (const { 0: lineBreak, index } of text.matchAll(anyBreak)) {
    const line = text.slice(start, index);
    start = index + lineBreak.length;
    const content = line.search(/[^ ]/);
    if (indent === -1 && content >= 0) {
      indent = content;
    }
    if (indent !== undefined && content >= 0 && content < indent) {
      indent = undefined;
    }
    const isInBlock = indent !== undefined && indent !== 0;
    pieces.push(line, isInBlock && oldBreak.test(lineBreak) ? "\n" : lineBreak);
    if (!isInBlock) {
      indent = oldBreak.test(lineBreak) ? undefined : blockIndent(line);
    }
  }
  return pieces.join("") + text.slice(start);
}

/** Returns the indentation of the block that begins after a line, as far as the line shows it. */
function blockIndent(line: string): number | undefined {
  const header = blockHeader.exec(line);
  const digit = header?.[1] ?? header?.[2];
  if (header === null || digit === undefined) {
    return header === null ? undefined : -1;
  }
  const prefix = /^ *(?:[-?:] +)*/.exec(line)?.[0].length ?? 0;
  const isValueOfPrefix = prefix > 0 && /[|>]/.test(line.charAt(prefix));
  return (isValueOfPrefix ? prefix - "- ".length : prefix) + Number(digit);
}

/** Returns whether the value of a scalar must come from {@link foldedValue} or {@link literalValue}. */
export function holdsOldBreak(source: string, start: number, end: number): boolean {
  return oldBreak.test(source.slice(start, end));
}

// Matches only from the first of several blanks: starting at each of many blanks would rescan all text after it.
const breakRun = /(?<![ \t])[ \t]*((?:(?:\r\n|[\n\r\u0085\u2028\u2029])[ \t]*)+)/g;
/** In double quotes, a break after a backslash has another meaning. */
const unescapedBreakRun = new RegExp(`(?<!\\\\)${breakRun.source}`, "g");

/**
 * Returns the value of a plain or quoted scalar with its line breaks folded: a single newline becomes a blank, U+2028
 * and U+2029 stay.
 *
 * @param hasEscapes - `true` in double quotes.
 * @param readPiece - reads a text without line breaks in the scalar's style.
 */
export function foldedValue(
  raw: string,
  hasEscapes: boolean,
  readPiece: (text: string) => string,
): string {
  // The remaining breaks are placed between pieces, where the style does not affect them.
  const pieces: string[] = [];
  let end = 0;
  for (const run of raw.matchAll(hasEscapes ? unescapedBreakRun : breakRun)) {
    const [first = "", ...rest] = run[1]?.match(anyBreak) ?? [];
    const kept = [...(separator.test(first) ? [first] : []), ...rest].map(normalized).join("");
    pieces.push(readPiece(raw.slice(end, run.index)), kept === "" ? " " : kept);
    end = run.index + run[0].length;
  }
  return pieces.join("") + readPiece(raw.slice(end));
}

function normalized(lineBreak: string): string {
  return separator.test(lineBreak) ? lineBreak : "\n";
}

/**
 * Returns the value of a literal block whose lines may end with U+2028 or U+2029.
 *
 * @param indent - number of blanks that belong to the block and not to the text.
 * @param readPiece - reads the lines of a block with plain newlines.
 */
export function literalValue(
  raw: string,
  indent: number,
  readPiece: (text: string) => string,
): string {
  // U+FFFF, which YAML does not allow, stands for the separator until the lines are joined.
  const separatorsSeen: string[] = [];
  // The pattern matches each line to its end, with or without a separator. If it failed there, it would start again at
  // each character.
  const lines = raw.replace(
    /([^\n\r\u0085\u2028\u2029]*)([\n\r\u0085\u2028\u2029]|$)/g,
    (whole, line: string, end: string) => {
      if (!separator.test(end)) {
        return whole;
      }
      separatorsSeen.push(end);
      return `${line.padEnd(indent)}\uffff\n`;
    },
  );
  let next = 0;
  return readPiece(lines).replace(/\uffff\n?/g, () => separatorsSeen[next++] ?? "");
}
