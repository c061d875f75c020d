import { type FunctionDeclaration, memberOverload } from "../../functions/overload.js";
import { CelFailure, isFailure } from "../../values/cel-failure.js";
import type { CelList } from "../../values/cel-list.js";
import { dynType, listType, stringType } from "../../values/cel-type.js";
import { type FormatArgument, verbs } from "./format-verbs.js";
import { formatting } from "./string-costs.js";

/** `format`: a template such as "%s has %d" with its clauses replaced by the elements of a list. */
export const format: FunctionDeclaration = {
  name: "format",
  overloads: [
    memberOverload(
      "string_format",
      [stringType, listType(dynType)],
      stringType,
      formatted,
      formatting,
    ),
  ],
};

function formatted(template: string, args: CelList): string | CelFailure {
  let text = "";
  let at = 0;
  let used = 0;
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
    if (used >= args.size) {
      return new CelFailure(`index ${used} out of range`);
    }
    const clause = readClause(template, percent + 1);
    if (clause instanceof CelFailure) {
      return clause;
    }
    const result = clause.format(args.at(used));
    if (isFailure(result)) {
      return new CelFailure(`error during formatting: ${result.message}`);
    }
    text += result;
    at = clause.end;
    used += 1;
  }
}

/** A clause of a template, for example "%.3f". */
interface Clause {
  /** Where the text behind the clause begins. */
  readonly end: number;
  readonly format: FormatArgument;
}

function readClause(template: string, start: number): Clause | CelFailure {
  if (start === template.length) {
    return new CelFailure("unexpected end of string");
  }
  const precision = template[start] === "." ? readPrecision(template, start + 1) : undefined;
  if (precision instanceof CelFailure) {
    return notParsed(`error while parsing precision: ${precision.message}`);
  }
  const at = precision?.end ?? start;
  const verb = verbs.get(template.charAt(at));
  return verb === undefined
    ? notParsed(`unrecognized formatting clause "${byteAt(template, at)}"`)
    : { end: at + 1, format: verb(precision?.digits) };
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
