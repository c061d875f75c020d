/** What ends a line in YAML 1.1 and is an ordinary character in YAML 1.2. */
const oldBreak = /[\u0085\u2028\u2029]/;
const separator = /[\u2028\u2029]/;
const anyBreak = /\r\n|[\n\r\u0085\u2028\u2029]/g;

/** A line that ends with the header of a block scalar (`key: |2-`). */
const blockHeader = /(?:^|[ \t])[|>](?:([1-9])[-+]?|[-+]([1-9])?)?[ \t]*(?:[ \t]#.*)?$/;

/**
 * The text for a parser of YAML 1.2. API servers write U+2028 and U+2029 as they are, as line breaks of YAML 1.1, and
 * indent what follows. In block scalars they become newlines, so that the parser sees where the block ends; in quoted
 * ones they stay, see {@link foldedValue}. Every position stays what it was.
 */
export function withBlockBreaks(text: string): string {
  if (!oldBreak.test(text)) {
    return text;
  }
  const pieces: string[] = [];
  /** Blanks before the lines of the block being read; -1 when its first line is not known yet. */
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

/** The indent of the block that begins behind a line, as far as the line tells. */
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

/** Whether the value of a scalar must come from {@link foldedValue} or {@link literalValue}. */
export function holdsOldBreak(source: string, start: number, end: number): boolean {
  return oldBreak.test(source.slice(start, end));
}

// It begins where blanks begin: from each of many blanks on, it would look at all behind it.
const breakRun = /(?<![ \t])[ \t]*((?:(?:\r\n|[\n\r\u0085\u2028\u2029])[ \t]*)+)/g;
/** In double quotes, a break behind a backslash means something else. */
const unescapedBreakRun = new RegExp(`(?<!\\\\)${breakRun.source}`, "g");

/**
 * A plain or quoted scalar with its line breaks folded: a single newline becomes a blank, U+2028 and U+2029 stay.
 *
 * @param hasEscapes - whether it stands in double quotes.
 * @param readPiece - reads a text without line breaks in the scalar's style.
 */
export function foldedValue(
  raw: string,
  hasEscapes: boolean,
  readPiece: (text: string) => string,
): string {
  // What is left of the breaks stands between pieces, where the style cannot touch it.
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
 * A literal block whose lines may end with U+2028 or U+2029.
 *
 * @param indent - blanks that belong to the block and not to the text.
 * @param readPiece - reads the lines of a block with plain newlines.
 */
export function literalValue(
  raw: string,
  indent: number,
  readPiece: (text: string) => string,
): string {
  // U+FFFF, which no YAML text can have, stands for the separator until the lines are put together.
  const separatorsSeen: string[] = [];
  // Every line is matched to its end, with or without a separator: a pattern that failed there would begin again at each character.
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
