import { celEnv } from "../../../../packages/cel/src/index.js";
import { suites } from "../../../../packages/cel/test/conformance/spec-cases.js";
import { specSuites } from "../../../../packages/cel/test/conformance/spec-suites.js";
import { evaluate, explainCost } from "../../../../packages/schema/src/rules.js";
import { type Json, randomRuleCase } from "../../../black-box/cel/random-schemas.js";
import { randomPattern } from "../../../black-box/go-regexp/random-patterns.js";
import { type HostileReader, textReader } from "../hostile-reader.js";
import { checkExpression, reported } from "./check-expression.js";
import { fuzzVariables, randomExpression } from "./random-expression.js";
import { randomValue } from "./random-value.js";

const env = celEnv({ variables: fuzzVariables });
const fixedInput = {
  b: true,
  n: 7,
  u: 3,
  d: 2.5,
  s: "héllo 😀",
  y: "AQIDBA==",
  t: "2024-02-29T12:34:56.789Z",
  r: "90m",
  ns: [3, 1, 2],
  ss: ["b", "a", "c"],
  nested: [["a"], [], ["b", "c"]],
  m: { a: 1 },
  mm: { x: ["1"] },
  x: { a: [1, "z", true], b: null },
  o: "a",
};

/** Rules that definitions have, beside the expressions of cel-spec. */
const rules = [
  "self.all(x, self.exists_one(y, y == x)) && !has(self.a) || size(self) < 3u",
  "[1, 2].map(i, i * n).filter(j, j > 2).transformMap(k, v, v + k)['a'].orValue(3)",
  "x.?a[?0].optMap(v, string(v)).orValue('none').matches('^(a+)+$')",
  "quantity('1Mi').add(quantity('2')).isGreaterThan(quantity(s)) ? ip('::1').family() : cidr('10.0.0.0/8').prefixLength()",
  "'%s: %d'.format([s, n]).split(',', 2).join('-').lowerAscii() == r'\\d' + \"\\u00e9\"",
];

const specExpressions = suites(specSuites.conformance).flatMap(({ cases }) =>
  cases.map(({ expression }) => expression),
);

/** Readers of expressions, patterns, inputs and rules. Those of random input use the mutated bytes only as a length. */
export const celReaders: readonly HostileReader[] = [
  textReader("cel: mutated expressions (VS5)", [...rules, ...specExpressions], (text) =>
    checkExpression(env, text, fixedInput),
  ),
  generated("cel: random expressions (VS5)", (random) =>
    checkExpression(env, randomExpression(random), fixedInput),
  ),
  generated("cel: random inputs (VS5)", (random) => {
    const names = Object.keys(fuzzVariables);
    const input = Object.fromEntries(names.map((name) => [name, randomValue(random)]));
    checkExpression(env, randomExpression(random), input);
  }),
  generated("cel: random patterns (VS5)", (random) => {
    const pattern = randomPattern(random);
    checkExpression(env, "s.matches(x) || s.findAll(x).size() > 1 || s.find(x) == s", {
      s: "ab-aaaaaaaaaaaaaaaaaaaaaaaa!é😀\nB0".repeat(3),
      x: pattern,
    });
    checkExpression(env, `s.matches(r"""${pattern}""")`, fixedInput);
  }),
  generated("cel: rules of random schemas (VS5)", (random) => {
    const { schema, object, oldObject } = randomRuleCase(random);
    const isHostile = random() < 0.3;
    const options = {
      schema,
      object: isHostile ? { spec: randomJson(random), status: randomJson(random) } : object,
      oldObject: isHostile && random() < 0.5 ? randomJson(random) : oldObject,
      mode: random() < 0.2 ? ("new" as const) : ("stored" as const),
      explain: true,
    };
    reported(JSON.stringify(options), () => {
      evaluate(options);
      if (random() < 0.05) {
        explainCost(schema);
      }
    });
  }),
];

/** Returns a value as a body in JSON can have it, for example with a key `__proto__`. */
function randomJson(random: () => number): unknown {
  const value = randomValue(random);
  let text: string | undefined;
  try {
    text = JSON.stringify(value, (_, part: unknown) =>
      typeof part === "bigint" ? Number(part) : part,
    );
  } catch {
    // Too many levels for JSON.stringify: no body has them.
  }
  return text === undefined ? undefined : (JSON.parse(text) as Json);
}

function generated(name: string, run: (random: () => number) => void): HostileReader {
  return { name, seeds: [Buffer.from("seed")], read: (_, random) => run(random) };
}
