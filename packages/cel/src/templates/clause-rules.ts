import { CelFailure } from "../values/cel-failure.js";
import type { CelKind } from "../values/cel-type.js";
import type { Verb } from "./template.js";

/** Arguments that a verb takes. */
interface ClauseRule {
  readonly rule: string;
  readonly kinds: readonly CelKind[];
}

const decimal: ClauseRule = {
  rule: "decimal clause can only be used on integers",
  kinds: ["int", "uint"],
};
const hex: ClauseRule = {
  rule: "only integers, byte buffers, and strings can be formatted as hex",
  kinds: ["int", "uint", "string", "bytes"],
};

/** `f` and `e` take the strings "NaN", "Infinity" and "-Infinity", too. */
export const clauseRules: Readonly<Record<Verb, ClauseRule>> = {
  s: {
    rule: "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps",
    kinds: [
      "list",
      "map",
      "int",
      "uint",
      "double",
      "bool",
      "string",
      "timestamp",
      "bytes",
      "duration",
      "type",
      "null",
    ],
  },
  d: decimal,
  f: {
    rule: "fixed-point clause can only be used on doubles",
    kinds: ["double", "string"],
  },
  e: {
    rule: "scientific clause can only be used on doubles",
    kinds: ["double", "string"],
  },
  b: {
    rule: "only integers and bools can be formatted as binary",
    kinds: ["int", "uint", "bool"],
  },
  o: { rule: "octal clause can only be used on integers", kinds: ["int", "uint"] },
  x: hex,
  X: hex,
};

/** Returns the failure of an argument whose type a verb does not take. */
export function refused(verb: Verb, typeName: string): CelFailure {
  return new CelFailure(`${clauseRules[verb].rule}, was given ${typeName}`);
}
