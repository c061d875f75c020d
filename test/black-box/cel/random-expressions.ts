import type { OracleVariable } from "../../../packages/cel/test/oracle/oracle-types.js";
import type { Random } from "../go-regexp/random-patterns.js";

/** Variables of random expressions. */
export const variables: Readonly<Record<string, OracleVariable>> = {
  b: { type: "bool", value: true },
  n: { type: "int", value: 7, size: { min: 1, max: 1 } },
  big: { type: "int", value: "9223372036854775807" },
  u: { type: "uint", value: 3 },
  d: { type: "double", value: 2.5 },
  s: { type: "string", value: "héllo 😀", size: { min: 0, max: 40 } },
  e: { type: "string", value: "" },
  y: { type: "bytes", value: "AQIDBA==" },
  t: { type: "timestamp", value: "2024-02-29T12:34:56.789Z" },
  r: { type: "duration", value: "90m" },
  ns: { type: "list(int)", value: [3, 1, 2], size: { min: 0, max: 10 } },
  ss: { type: "list(string)", value: ["b", "a", "c"], size: { min: 0, max: 5 } },
  m: { type: "map(string, int)", value: { a: 1 }, size: { min: 0, max: 8 } },
  q: { type: "map(string, list(int))", value: { x: [1, 2] } },
  x: { type: "dyn", value: { a: [1, "z", true], b: null } },
};

type Kind =
  | "bool"
  | "bytes"
  | "double"
  | "duration"
  | "dyn"
  | "int"
  | "ints"
  | "map"
  | "optional"
  | "string"
  | "strings"
  | "timestamp"
  | "uint";

type Build = (of: (kind: Kind) => string, pick: (texts: readonly string[]) => string) => string;

const relations = ["<", "<=", ">", ">=", "==", "!="];

/** Ways to write an expression of a kind; the first ones are the shortest. */
const productions: Readonly<Record<Kind, readonly Build[]>> = {
  bool: [
    () => "b",
    () => "true",
    () => "false",
    (of, pick) => `${of("int")} ${pick(relations)} ${of("int")}`,
    (of, pick) => `${of("string")} ${pick(relations)} ${of("string")}`,
    (of, pick) => `${of("double")} ${pick(["<", ">", "=="])} ${of("double")}`,
    (of, pick) => `${of("double")} ${pick(["<", ">="])} ${of("int")}`,
    (of, pick) => `${of("timestamp")} ${pick(relations)} ${of("timestamp")}`,
    (of, pick) => `${of("duration")} ${pick(relations)} ${of("duration")}`,
    (of, pick) => `(${of("bool")} ${pick(["&&", "||"])} ${of("bool")})`,
    (of, pick) =>
      `(${of("bool")} ${pick(["&&", "||"])} ${of("bool")} ${pick(["&&", "||"])} ${of("bool")})`,
    (of) => `!${of("bool")}`,
    (of) => `(${of("bool")} ? ${of("bool")} : ${of("bool")})`,
    (of, pick) => `${of("ints")}.${pick(["all", "exists", "exists_one"])}(v, v > ${of("int")})`,
    (of, pick) => `${of("strings")}.${pick(["all", "exists"])}(w, w.startsWith(${of("string")}))`,
    (of) => `${of("int")} in ${of("ints")}`,
    (of) => `${of("string")} in ${of("map")}`,
    (of) => `${of("string")}.contains(${of("string")})`,
    (of) => `${of("string")}.endsWith(${of("string")})`,
    (of, pick) => `${of("string")}.matches(${pick(["'^h.*o'", "'[0-9]+'", "s", "'('"])})`,
    (_, pick) => `has(${pick(["m.a", "m.zz", "q.x", "x.a", "x.b.c", "x.zz"])})`,
    (of) => `${of("optional")}.hasValue()`,
    (of) => `${of("ints")}.isSorted()`,
    (of) => `${of("ints")} == ${of("ints")}`,
    (of) => `${of("map")} == ${of("map")}`,
    (of) => `m.exists(k, m[k] == ${of("int")})`,
    (of) => `${of("ints")}.all(i, v, i < v || v == ${of("int")})`,
    (of) => `${of("dyn")} == ${of("dyn")}`,
    (of) => `${of("dyn")} == ${of("int")}`,
    (of) => `sets.contains(${of("ints")}, ${of("ints")})`,
    (of) => `isQuantity(${of("string")})`,
  ],
  int: [
    () => "n",
    () => "1",
    () => "0",
    () => "big",
    (of, pick) => `(${of("int")} ${pick(["+", "-", "*", "/", "%"])} ${of("int")})`,
    (of) => `-${of("int")}`,
    (of) => `size(${of("string")})`,
    (of) => `${of("ints")}.size()`,
    (of) => `${of("map")}.size()`,
    (of) => `${of("ints")}[${of("int")}]`,
    (_, pick) => `m${pick([".a", ".zz", "['b']"])}`,
    (of) => `m[${of("string")}]`,
    (of) => `(${of("bool")} ? ${of("int")} : ${of("int")})`,
    (of) => `int(${of("double")})`,
    (of) => `int(${of("string")})`,
    (of) => `int(${of("uint")})`,
    (of, pick) =>
      `${of("timestamp")}.${pick(["getFullYear()", "getMonth()", "getDayOfYear()", "getHours('Europe/Berlin')", "getDate('-01:30')"])}`,
    (of, pick) =>
      `${of("duration")}.${pick(["getHours", "getMinutes", "getSeconds", "getMilliseconds"])}()`,
    (of, pick) => `${of("ints")}.${pick(["sum", "min", "max"])}()`,
    (of) => `${of("strings")}.indexOf(${of("string")})`,
    (of) => `${of("string")}.indexOf(${of("string")})`,
    (of) => `${of("optional")}.orValue(${of("int")})`,
    (of) => `${of("ints")}.map(v, v * 2).sum()`,
    (of) => `${of("ints")}[?${of("int")}].orValue(9)`,
    (of) => `[${of("int")}, ${of("int")}].filter(v, v > n).size()`,
  ],
  uint: [
    () => "u",
    () => "2u",
    (of, pick) => `(${of("uint")} ${pick(["+", "-", "*", "/", "%"])} ${of("uint")})`,
    (of) => `uint(${of("int")})`,
  ],
  double: [
    () => "d",
    () => "1.5",
    () => "0.0",
    (of, pick) => `(${of("double")} ${pick(["+", "-", "*", "/"])} ${of("double")})`,
    (of) => `double(${of("int")})`,
    (of) => `double(${of("string")})`,
  ],
  string: [
    () => "s",
    () => "'a'",
    () => "e",
    () => "'é😀'",
    (of) => `(${of("string")} + ${of("string")})`,
    (of) => `string(${of("int")})`,
    (of) => `string(${of("double")})`,
    (of) => `string(${of("bool")})`,
    (of) => `string(${of("duration")})`,
    (of) => `string(${of("timestamp")})`,
    (of) => `string(${of("bytes")})`,
    (of) => `${of("string")}.upperAscii()`,
    (of) => `${of("string")}.substring(${of("int")})`,
    (of) => `${of("string")}.charAt(${of("int")})`,
    (of) => `${of("string")}.replace(${of("string")}, ${of("string")})`,
    (of) => `${of("strings")}.join(${of("string")})`,
    (of) => `${of("string")}.trim()`,
    (of) => `${of("string")}.find('[a-z]+')`,
    (of) => `${of("strings")}[${of("int")}]`,
    (of) => `(${of("bool")} ? ${of("string")} : ${of("string")})`,
    (of) => `'%s %d'.format([${of("string")}, ${of("int")}])`,
    (of) => `strings.quote(${of("string")})`,
  ],
  bytes: [
    () => "y",
    () => "b'ab'",
    (of) => `bytes(${of("string")})`,
    (of) => `(${of("bytes")} + ${of("bytes")})`,
  ],
  timestamp: [
    () => "t",
    () => "timestamp('2020-01-01T00:00:00Z')",
    (of, pick) => `(${of("timestamp")} ${pick(["+", "-"])} ${of("duration")})`,
    (of) => `timestamp(${of("int")})`,
    (of) => `timestamp(${of("string")})`,
  ],
  duration: [
    () => "r",
    () => "duration('1h2m3s')",
    (of, pick) => `(${of("duration")} ${pick(["+", "-"])} ${of("duration")})`,
    (of) => `(${of("timestamp")} - ${of("timestamp")})`,
    (of) => `duration(${of("string")})`,
  ],
  ints: [
    () => "ns",
    () => "[]",
    () => "[1, 2, 3]",
    (of) => `[${of("int")}, ${of("int")}]`,
    (of) => `(${of("ints")} + ${of("ints")})`,
    (of) => `${of("ints")}.filter(v, v >= ${of("int")})`,
    (of) => `${of("ints")}.map(v, v + ${of("int")})`,
    (of) => `${of("ints")}.map(v, v > 1, v - ${of("int")})`,
    (of) => `[?${of("optional")}, ${of("int")}]`,
    (of) => `${of("ints")}.slice(${of("int")}, ${of("int")})`,
    (of) => `${of("ints")}.distinct()`,
    (of) => `${of("ints")}.sort()`,
    (of) => `${of("ints")}.reverse()`,
    (of) => `lists.range(${of("int")})`,
    (of) => `q[${of("string")}]`,
    (of) => `${of("ints")}.transformList(i, v, i + v)`,
    (of) => `${of("ints")}.sortBy(v, -v)`,
    (of) => `(${of("bool")} ? ${of("ints")} : ${of("ints")})`,
  ],
  strings: [
    () => "ss",
    () => "['a', 'b']",
    (of) => `[${of("string")}]`,
    (of) => `${of("string")}.split(${of("string")})`,
    (of) => `${of("strings")}.map(w, w + ${of("string")})`,
    (of) => `(${of("strings")} + ${of("strings")})`,
    (of) => `m.map(k, k + ${of("string")})`,
    (of) => `${of("string")}.findAll('[a-z]')`,
  ],
  map: [
    () => "m",
    () => "{}",
    () => "{'a': 1}",
    (of) => `{${of("string")}: ${of("int")}}`,
    (of) => `{?'k': ${of("optional")}}`,
    (of) => `${of("strings")}.transformMapEntry(i, w, {w: i})`,
    (of) => `m.transformMap(k, v, v > ${of("int")}, v + 1)`,
  ],
  optional: [
    () => "m.?a",
    () => "m.?zz",
    () => "optional.none()",
    (of) => `optional.of(${of("int")})`,
    (of) => `optional.ofNonZeroValue(${of("int")})`,
    (of) => `m[?${of("string")}]`,
    (of) => `${of("optional")}.or(${of("optional")})`,
    (of) => `${of("optional")}.optMap(v, v + ${of("int")})`,
    (of) => `${of("ints")}.first()`,
  ],
  dyn: [
    () => "x.a[0]",
    () => "x.a[1]",
    () => "x.zz",
    () => "x.b",
    (of) => `dyn(${of("int")})`,
    (of) => `dyn(${of("string")})`,
    (of) => `dyn(${of("double")})`,
    (of) => `x.a[${of("int")}]`,
  ],
};

const kinds: readonly Kind[] = [
  "bool",
  "int",
  "string",
  "double",
  "ints",
  "strings",
  "map",
  "timestamp",
  "duration",
  "bytes",
  "uint",
  "optional",
  "dyn",
];

/** Share of operands of any kind, which mostly do not compile. */
const wrongKindShare = 0.01;

/** Returns a random expression of a random kind, at most `depth` deep. */
export function randomExpression(random: Random, depth = 4): string {
  const pick = <T>(values: readonly T[]): T => {
    const value = values[Math.floor(random() * values.length)];
    if (value === undefined) {
      throw new RangeError("nothing to choose from");
    }
    return value;
  };
  const build = (kind: Kind, left: number): string => {
    const chosen = random() < wrongKindShare ? pick(kinds) : kind;
    const all = productions[chosen];
    const choices = left <= 0 ? all.slice(0, 3) : all;
    const production =
      left <= 0 ? pick(choices.filter(({ length }) => length === 0)) : pick(choices);
    return production((inner) => build(inner, left - 1), pick);
  };
  return build(pick(kinds), depth);
}
