import type { Random } from "../go-regexp/random-patterns.js";

/** Writes a random expression. */
type Generator = (random: Random) => string;

const pick =
  (...parts: readonly (string | Generator)[]): Generator =>
  (random) => {
    const part = parts[Math.floor(random() * parts.length)] ?? "";
    return typeof part === "string" ? part : part(random);
  };

/** Writes a call: each part is an argument, some of them with a type that only the run time knows. */
const member =
  (target: Generator, name: string, ...args: readonly Generator[]): Generator =>
  (random) =>
    `${maybeDyn(target, random)}.${name}(${args.map((arg) => maybeDyn(arg, random)).join(", ")})`;

const call =
  (name: string, ...args: readonly Generator[]): Generator =>
  (random) =>
    `${name}(${args.map((arg) => maybeDyn(arg, random)).join(", ")})`;

function maybeDyn(term: Generator, random: Random): string {
  const text = term(random);
  return random() < 0.1 ? `dyn(${text})` : text;
}

const listOf =
  (element: Generator): Generator =>
  (random) =>
    `[${Array.from({ length: Math.floor(random() * 5) }, () => element(random)).join(", ")}]`;

const character = pick(
  "a",
  "b",
  "c",
  "A",
  "Z",
  " ",
  ",",
  "é",
  "😀",
  "ß",
  "\\t",
  "\\u00a0",
  "\\n",
  "%",
);
const literal: Generator = (random) =>
  `'${Array.from({ length: Math.floor(random() * 7) }, () => character(random)).join("")}'`;
const text = pick(literal, literal, "s", "''", "'aba'", "'a'", "'😀a😀'");
const int = pick("-1", "0", "0", "1", "1", "2", "3", "5", "9", "l[1]", "9223372036854775807");
const double = pick(
  "0.0",
  "-0.5",
  "1.0",
  "2.5",
  "1234.5678",
  "1e21",
  "1e-7",
  "double('NaN')",
  "double('-inf')",
);
const uint = pick("0u", "1u", "2u", "18446744073709551615u");
const duration = pick(
  "duration('1s')",
  "duration('-1.5h')",
  "duration('0s')",
  "duration('2562047h')",
);
const time = pick("timestamp('2020-01-01T00:00:00Z')", "timestamp('1969-12-31T23:59:59.5+01:00')");
const bytes = pick("b'a'", "b''", "b'\\xff'", "b'ab'");
const bool = pick("true", "false");
const lists = [int, double, uint, duration, time, bytes, bool, literal].map(listOf);
const list = pick("l", "ls", ...lists);
const comparable = list;
const scalar = pick(int, double, uint, duration, time, bytes, bool, literal, "null", "x");
const value = pick(scalar, list, "{'a': 1}", "optional.none()", "optional.of(1)");
const nested = pick(listOf(list), listOf(lists[0] ?? list));
const clause = pick(
  "%s",
  "%s",
  "%d",
  "%f",
  "%.2f",
  "%e",
  "%.12e",
  "%b",
  "%o",
  "%x",
  "%X",
  "%%",
  "%.0f",
  "a",
  "%",
);
const template: Generator = (random) =>
  `'${Array.from({ length: Math.floor(random() * 4) }, () => clause(random)).join(" ")}'`;

const strings = pick(
  member(text, "charAt", int),
  member(text, "indexOf", text),
  member(text, "indexOf", text, int),
  member(text, "lastIndexOf", text),
  member(text, "lastIndexOf", text, int),
  member(text, "lowerAscii"),
  member(text, "upperAscii"),
  member(text, "trim"),
  member(text, "replace", text, text),
  member(text, "replace", text, text, int),
  member(text, "split", text),
  member(text, "split", text, int),
  member(text, "substring", int),
  member(text, "substring", int, int),
  member(pick("ls", listOf(text)), "join"),
  member(pick("ls", listOf(text)), "join", text),
  call("strings.quote", text),
);
const format = pick(
  member(template, "format", listOf(value)),
  member(template, "format", listOf(scalar)),
  member(template, "format", pick("l", "ls")),
);
const listFunctions = pick(
  ...[
    "isSorted",
    "sum",
    "min",
    "max",
    "sort",
    "distinct",
    "reverse",
    "flatten",
    "first",
    "last",
  ].map((name) => member(comparable, name)),
  member(nested, "flatten"),
  member(nested, "flatten", pick("-1", "0", "1", "2", "l[1]")),
  member(nested, "distinct"),
  member(list, "indexOf", scalar),
  member(list, "lastIndexOf", scalar),
  member(value, "includes", scalar),
  member(list, "slice", int, int),
  (random) => `${list(random)}.sortBy(e, ${pick("e", "[e]", "-e", "dyn(e)")(random)})`,
  call("lists.range", pick("0", "1", "3", "-1", "1000001", "l[2]")),
  ...["contains", "equivalent", "intersects"].map((name) => call(`sets.${name}`, list, list)),
);
const digit = pick("0", "1", "2", "5", "l[1]");
/** Go's maps have no order: a list made of two entries could differ. */
const oneEntry = ["{'a': 1}", "{1: 'a'}", "{}", "'a'"];
const loops: Generator = (random) => {
  const range = pick("l", "ls", listOf(digit), listOf(bool), listOf(literal), ...oneEntry)(random);
  const name = pick(
    "all",
    "exists",
    "existsOne",
    "exists_one",
    "transformList",
    "transformMap",
    "transformMapEntry",
  )(random);
  const body = name.startsWith("transformMapEntry")
    ? pick("{v: k}", "{k: v}", "{'a': k}")(random)
    : name.startsWith("transform")
      ? pick("v", "k", "[k]", "string(v)")(random)
      : pick("k == v", "true", "v == 1", "k != v", "dyn(1 / 0) == v")(random);
  const filter = name.startsWith("transform") && random() < 0.5 ? "k == k, " : "";
  return `${range}.${name}(k, v, ${filter}${body})`;
};
const optional = pick(
  "optional.none()",
  call("optional.of", value),
  call("optional.ofNonZeroValue", value),
  "l[?1]",
  "{'a': 1}[?'b']",
);
const optionals = pick(
  call("optional.ofNonZeroValue", value),
  member(optional, "hasValue"),
  member(optional, "value"),
  member(optional, "or", optional),
  member(optional, "orValue", value),
  member(listOf(optional), "unwrapOpt"),
  call("optional.unwrap", listOf(optional)),
  (random) => `${optional(random)}.optMap(v, ${pick("v", "[v]", "string(v)", "v == v")(random)})`,
  (random) =>
    `${optional(random)}.optFlatMap(v, ${pick("optional.of(v)", "optional.none()", "v")(random)})`,
  (random) =>
    `${pick("l", "ls", "{'a': [1]}", "x", "optional.of(l)")(random)}${pick("[?0]", "[?9]", ".?a", "[?'a']", ".?a[0]", "[?0].?b")(random)}`,
);
const pattern = pick(
  "'a'",
  "'a*'",
  "'[ab]+'",
  "'(a)|b'",
  "'^a'",
  "'a??'",
  "'\\\\\\\\b'",
  "'('",
  "s",
);
const patterns = pick(
  member(text, "find", pattern),
  member(text, "findAll", pattern),
  member(text, "findAll", pattern, int),
);

/** Random calls of the libraries, by subject. */
export const randomCollections: Readonly<Record<string, Generator>> = {
  strings,
  format,
  lists: listFunctions,
  loops,
  "optional values": optionals,
  patterns,
};
