import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  type Overload,
  optionalType,
  stringType,
  timestampType,
  typeType,
  uintType,
} from "../../../../packages/cel/src/index.js";
import { languageOf } from "../../../../packages/cel/src/internal.js";

type Random = () => number;

/** A signature of a function, and how a call of it is written. */
interface Signature {
  readonly name: string;
  readonly overload: Overload;
}

const signatures: readonly Signature[] = languageOf(undefined, "stored")
  .libraries.flatMap(({ functions }) => functions)
  // Functions of macros cannot be named in a text; `@in` is an operator.
  .filter(({ name }) => name === "@in" || !name.includes("@"))
  .flatMap(({ name, overloads }) => overloads.map((overload) => ({ name, overload })));

const simpleTypes: readonly CelType[] = [
  boolType,
  intType,
  uintType,
  doubleType,
  stringType,
  bytesType,
  durationType,
  timestampType,
];

/** Variables of random expressions. */
export const fuzzVariables: Readonly<Record<string, CelType>> = {
  b: boolType,
  n: intType,
  u: uintType,
  d: doubleType,
  s: stringType,
  y: bytesType,
  t: timestampType,
  r: durationType,
  ns: listType(intType),
  ss: listType(stringType),
  nested: listType(listType(stringType)),
  m: mapType(stringType, intType),
  mm: mapType(stringType, listType(stringType)),
  x: dynType,
  o: optionalType(stringType),
};

const literals: Readonly<Record<string, readonly string[]>> = {
  bool: ["true", "false"],
  int: ["0", "1", "-1", "9223372036854775807", "-9223372036854775808", "0x7f", "1000000"],
  uint: ["0u", "18446744073709551615u", "3u"],
  double: ["0.0", "-0.0", "1e308", "1.5", "double('NaN')", "double('Infinity')"],
  string: [
    "''",
    "'a'",
    "'é😀'",
    "'1.2.3'",
    "'10.0.0.1'",
    "'10.0.0.0/8'",
    "'https://a.b:1/c?d=e'",
    "'100Mi'",
    "'(a+)+$'",
    "'%s %d %.3f %x'",
    "'__proto__'",
    "'2024-02-29T12:00:00Z'",
    "'1h'",
    "r'\\w+'",
  ],
  bytes: ["b''", "b'\\xff\\x00'"],
  duration: ["duration('1h')", "duration('-315576000000s')"],
  timestamp: ["timestamp('2024-02-29T12:00:00.123456789Z')", "timestamp('9999-12-31T23:59:59Z')"],
  null: ["null"],
  type: ["int", "type(s)", "net.IP"],
  dyn: ["x", "dyn(1)", "dyn([1, 'a'])", "dyn({'a': 1})"],
};

/** Returns an expression of a random type, most of them well-typed. */
export function randomExpression(random: Random): string {
  const depth = 1 + Math.floor(random() * 5);
  const type =
    random() < 0.5 ? boolType : pick(random, [...simpleTypes, ...Object.values(fuzzVariables)]);
  return new ExpressionGenerator(random).term(type, depth);
}

class ExpressionGenerator {
  readonly #random: Random;
  readonly #locals: { readonly name: string; readonly type: CelType }[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  term(wanted: CelType, depth: number): string {
    // A term of another type now and then: the checker has to refuse it, or the evaluator to fail.
    const type = this.#chance(0.02) ? pick(this.#random, simpleTypes) : wanted;
    if (depth <= 0 || this.#chance(0.1)) {
      return this.#leaf(type);
    }
    if (this.#chance(0.15)) {
      return this.#loop(type, depth);
    }
    const fitting = signatures.filter(({ overload }) => fits(overload.result, type));
    return fitting.length === 0
      ? this.#leaf(type)
      : this.#call(pick(this.#random, fitting), type, depth);
  }

  #leaf(type: CelType): string {
    const variables = [
      ...this.#locals,
      ...Object.entries(fuzzVariables).map(([name, declared]) => ({ name, type: declared })),
    ].filter((variable) => variable.type.toString() === type.toString());
    if (variables.length > 0 && this.#chance(0.6)) {
      return pick(this.#random, variables).name;
    }
    const [first = dynType, second = dynType] = type.parameters;
    switch (type.kind) {
      case "list":
        return `[${this.#leaf(first)}, ${this.#leaf(first)}]`;
      case "map":
        return `{${this.#leaf(first)}: ${this.#leaf(second)}}`;
      default:
        return type.name === "optional_type"
          ? pick(this.#random, ["optional.none()", `optional.of(${this.#leaf(first)})`])
          : pick(this.#random, literals[type.kind] ?? ["x"]);
    }
  }

  #loop(type: CelType, depth: number): string {
    const element =
      type.kind === "list" ? (type.parameters[0] ?? intType) : pick(this.#random, simpleTypes);
    const range = this.term(listType(element), depth - 1);
    const name = pick(this.#random, ["i", "j", "k", "x"]);
    this.#locals.push({ name, type: element });
    const condition = this.term(boolType, depth - 1);
    const mapped = this.term(element, depth - 1);
    this.#locals.pop();
    switch (type.kind) {
      case "bool":
        return `${range}.${pick(this.#random, ["all", "exists", "exists_one"])}(${name}, ${condition})`;
      case "list":
        return pick(this.#random, [
          `${range}.filter(${name}, ${condition})`,
          `${range}.map(${name}, ${mapped})`,
          `${range}.map(${name}, ${condition}, ${mapped})`,
          `${range}.transformList(k2, ${name}, ${mapped})`,
          `${range}.sortBy(${name}, ${mapped})`,
        ]);
      case "map":
        return `${range}.transformMap(k2, ${name}, ${mapped})`;
      default:
        return `optional.of(${range}).optMap(${name}2, ${name}2[0]).orValue(${this.#leaf(type)})`;
    }
  }

  #call({ name, overload }: Signature, wanted: CelType, depth: number): string {
    const bound = new Map<string, CelType>();
    bind(overload.result, wanted, bound);
    const args = overload.parameters.map((parameter) =>
      this.term(this.#concrete(parameter, bound), depth - 1 - Math.floor(this.#random() * 2)),
    );
    return written(name, overload.member, args);
  }

  #concrete(type: CelType, bound: Map<string, CelType>): CelType {
    if (type.kind === "typeParameter") {
      const known = bound.get(type.name) ?? pick(this.#random, simpleTypes);
      bound.set(type.name, known);
      return known;
    }
    const parameters = type.parameters.map((parameter) => this.#concrete(parameter, bound));
    const [first = dynType, second = dynType] = parameters;
    switch (type.kind) {
      case "list":
        return listType(first);
      case "map":
        return mapType(first, second);
      case "type":
        return typeType;
      default:
        return type.name === "optional_type" ? optionalType(first) : type;
    }
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }
}

function fits(result: CelType, wanted: CelType): boolean {
  return (
    result.kind === "typeParameter" || (result.kind === wanted.kind && result.name === wanted.name)
  );
}

function bind(declared: CelType, wanted: CelType, bound: Map<string, CelType>): void {
  if (declared.kind === "typeParameter") {
    bound.set(declared.name, wanted);
    return;
  }
  for (const [index, parameter] of declared.parameters.entries()) {
    const part = wanted.parameters[index];
    if (part !== undefined) {
      bind(parameter, part, bound);
    }
  }
}

function written(name: string, isMember: boolean, args: readonly string[]): string {
  const [first = "", second = "", third = ""] = args;
  switch (name) {
    case "_?_:_":
      return `(${first} ? ${second} : ${third})`;
    case "_[_]":
      return `${first}[${second}]`;
    case "_[?_]":
      return `${first}[?${second}]`;
    case "_?._":
      return `${first}.?a`;
    case "!_":
    case "-_":
      return `${name.charAt(0)}(${first})`;
    case "@in":
      return `(${first} in ${second})`;
    default: {
      const operator = /^_(.+)_$/.exec(name)?.[1];
      if (operator !== undefined) {
        return `(${first} ${operator} ${second})`;
      }
      return isMember
        ? `${first}.${name}(${args.slice(1).join(", ")})`
        : `${name}(${args.join(", ")})`;
    }
  }
}

function pick<T>(random: Random, choices: readonly T[]): T {
  const chosen = choices[Math.floor(random() * choices.length)];
  if (chosen === undefined) {
    throw new RangeError("nothing to choose from");
  }
  return chosen;
}
