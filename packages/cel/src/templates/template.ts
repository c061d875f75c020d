import { CelFailure, isFailure } from "../values/cel-failure.js";

/** A clause of a template, for example "%.3f". */
export interface Clause {
  /** The letter at its end. */
  readonly verb: Verb;
  /** The number behind the point; `undefined` without one. */
  readonly precision: number | undefined;
  /** Number of clauses in front of this one: the argument that it formats. */
  readonly index: number;
}

/** The letters that a clause can end with. */
export type Verb = "s" | "d" | "f" | "e" | "b" | "o" | "x" | "X";

/**
 * Replaces the clauses of a template. The first mistake in the text, in the number of arguments or in an argument ends it.
 *
 * @param size - Number of arguments.
 * @param fill - Returns the text of a clause.
 * @param whole - True to report a clause that the template ends in before an argument that is missing for it.
 */
export function fillTemplate(
  template: string,
  size: number,
  fill: (clause: Clause) => string | CelFailure,
  whole = false,
): string | CelFailure {
  let text = "";
  let at = 0;
  let index = 0;
  for (;;) {
    const percent = template.indexOf("%", at);
    if (percent < 0) {
      return text + template.slice(at);
    }
    text += template.slice(at, percent);
    if (template[percent + 1] === "%") {
      text += "%";
      at = percent + 2;
      continue;
    }
    if (index >= size && !(whole && percent + 1 === template.length)) {
      return new CelFailure(`index ${index} out of range`);
    }
    const clause = readClause(template, percent + 1);
    if (clause instanceof CelFailure) {
      return clause;
    }
    const result = fill({ ...clause, index });
    if (isFailure(result)) {
      return new CelFailure(`error during formatting: ${result.message}`);
    }
    text += result;
    at = clause.end;
    index += 1;
  }
}

/** A clause and where the text behind it begins. */
type ReadClause = Omit<Clause, "index"> & { readonly end: number };

function readClause(template: string, start: number): ReadClause | CelFailure {
  if (start === template.length) {
    return new CelFailure("unexpected end of string");
  }
  const precision = template[start] === "." ? readPrecision(template, start + 1) : undefined;
  if (precision instanceof CelFailure) {
    return notParsed(`error while parsing precision: ${precision.message}`);
  }
  const at = precision?.end ?? start;
  const verb = template.charAt(at);
  return isVerb(verb)
    ? { end: at + 1, verb, precision: precision?.digits }
    : notParsed(`unrecognized formatting clause "${byteAt(template, at)}"`);
}

function isVerb(letter: string): letter is Verb {
  return /^[sdfeboxX]$/.test(letter);
}

function readPrecision(
  template: string,
  start: number,
): { readonly end: number; readonly digits: number } | CelFailure {
  let end = start;
  while (/^[0-9]$/.test(template.charAt(end))) {
    end += 1;
  }
  if (end === template.length) {
    return new CelFailure("could not find end of precision specifier");
  }
  const text = template.slice(start, end);
  const digits = Number(text);
  const problem =
    text === "" ? "invalid syntax" : digits >= 2 ** 63 ? "value out of range" : undefined;
  return problem === undefined
    ? { end, digits }
    : new CelFailure(
        `error while converting precision to integer: strconv.Atoi: parsing "${text}": ${problem}`,
      );
}

function notParsed(detail: string): CelFailure {
  return new CelFailure(`could not parse formatting clause: ${detail}`);
}

/** Upstream reads templates byte by byte: of any other character than ASCII, it names the first byte in UTF-8. */
function byteAt(template: string, at: number): string {
  const code = template.codePointAt(at) ?? 0;
  if (code < 0x80) {
    return String.fromCharCode(code);
  }
  if (code < 0x800) {
    return String.fromCharCode(0xc0 | (code >> 6));
  }
  return String.fromCharCode(code < 0x10000 ? 0xe0 | (code >> 12) : 0xf0 | (code >> 18));
}
