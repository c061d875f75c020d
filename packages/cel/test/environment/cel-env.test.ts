import assert from "node:assert/strict";
import { describe, it, test } from "vitest";
import { celEnv, library, memberOverload, overload } from "../../src/index.js";
import type { Expression } from "../../src/syntax/expression.js";
import { visit } from "../../src/syntax/visit.js";
import {
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  stringType,
  timestampType,
  uintType,
} from "../../src/values/cel-type.js";
import { CelUint } from "../../src/values/cel-uint.js";
import { objectType } from "../../src/values/struct-type.js";

function resultOf(source: string, type: CelType, input: unknown): unknown {
  const outcome = celEnv({ variables: { x: type } })
    .compile(source)
    .evaluate({ x: input });
  assert.ok(outcome.ok, outcome.ok ? "" : outcome.error.message);
  return outcome.value;
}

function messageOf(source: string, input: Readonly<Record<string, unknown>>): string {
  const variables = Object.fromEntries(Object.keys(input).map((name) => [name, dynType]));
  const outcome = celEnv({ variables }).compile(source).evaluate(input);
  assert.ok(!outcome.ok);
  return outcome.error.message;
}

describe("compile", () => {
  it("VL4: throws an error with the position of each problem", () => {
    const env = celEnv({ variables: { self: objectType("Widget", { size: intType }) } });
    assert.throws(() => env.compile("self.size == '3' ||\n self.weight"), {
      name: "CelCompileError",
      problems: [
        {
          message: "found no matching overload for '_==_' applied to '(int, string)'",
          line: 1,
          column: 11,
          offset: 10,
        },
        { message: "undefined field 'weight'", line: 2, column: 6, offset: 25 },
      ],
    });
    assert.deepEqual(env.check("self.size > 1"), []);
  });

  it("VL12: the tree is frozen, and each part has its range in the text", () => {
    const source = "[x, x.a].exists(i, i in {'k': x})";
    const { ast } = celEnv({ variables: { x: dynType } }).compile(source);
    const parts: Expression[] = [];
    visit(ast, (node) => parts.push(node));
    for (const part of parts) {
      assert.ok(Object.isFrozen(part), part.kind);
      assert.ok(part.start >= 0 && part.start < part.end && part.end <= source.length, part.kind);
    }
    const found = parts.flatMap((part) =>
      part.kind === "select" ? [source.slice(part.start, part.end)] : [],
    );
    assert.deepEqual(found, ["x.a"]);
    assert.throws(() => Object.assign(ast, { kind: "literal" }), TypeError);
  });

  it("VS1: a rule can be evaluated many times, and names the variables that it reads", () => {
    const rule = celEnv({ variables: { a: intType, b: intType, c: intType } }).compile("a < b");
    assert.deepEqual(rule.variables, ["a", "b"]);
    assert.equal(String(rule.type), "bool");
    assert.deepEqual(rule.evaluate({ a: 1, b: 2 }), { ok: true, value: true, cost: 3 });
    assert.deepEqual(rule.evaluate({ a: 2, b: 1 }), { ok: true, value: false, cost: 3 });
  });

  it("an unknown version is an error that names the known ones", () => {
    assert.throws(() => celEnv({ version: "1.99" }), /unknown version "1.99": use 1.23 to 1.37/);
  });

  it("VK1: new expressions have only what the version before has, stored ones everything", () => {
    const source = "[3, 1].sort() == [1, 3]";
    assert.notDeepEqual(celEnv({ version: "1.34", mode: "new" }).check(source), []);
    assert.deepEqual(celEnv({ version: "1.35", mode: "new" }).check(source), []);
    assert.deepEqual(celEnv({ version: "1.34" }).check(source), []);
  });
});

describe("evaluate", () => {
  const sum = "[1, 2, 3].map(i, i + x)";

  it("VC4: ends when the cost is over its limit, and says so", () => {
    const rule = celEnv({ variables: { x: intType } }).compile(sum);
    const outcome = rule.evaluate({ x: 1 }, { costLimit: 5 });
    assert.ok(!outcome.ok);
    assert.equal(outcome.error.code, "CostLimit");
    assert.equal(outcome.error.message, "operation cancelled: actual cost limit exceeded");
  });

  it("VC10: ends when its signal is aborted or its time is over", () => {
    const rule = celEnv({ variables: { x: listType(intType) } }).compile(
      "x.map(i, x.map(j, i + j)).size() > 0",
    );
    const x = Array.from({ length: 400 }, (_, at) => at);
    for (const options of [{ signal: AbortSignal.abort() }, { timeoutMs: 0 }]) {
      const outcome = rule.evaluate({ x }, options);
      assert.equal(outcome.ok ? "" : outcome.error.code, "Interrupted");
    }
  });

  it("VS1: a variable without a value is a failure where it is read", () => {
    assert.equal(messageOf("x.a", { x: {} }), "no such key: a");
    const rule = celEnv({ variables: { x: intType } }).compile("true || x > 1");
    assert.deepEqual(rule.evaluate({}), { ok: true, value: true, cost: 0 });
    const failing = celEnv({ variables: { x: intType } })
      .compile("x > 1")
      .evaluate({});
    assert.equal(failing.ok ? "" : failing.error.message, "no such attribute(s): x");
  });
});

describe("values", () => {
  const timestamp = "2024-02-29T23:59:59.123456789Z";
  test.each<[string, CelType, unknown, unknown]>([
    ["x", intType, 7, 7],
    ["x", intType, 9_007_199_254_740_993n, 9_007_199_254_740_993n],
    ["x + 1", intType, 9_007_199_254_740_991, 9_007_199_254_740_992n],
    ["x / 2.0", doubleType, 1, 0.5],
    ["x + 1u", uintType, 7, 8],
    ["x + 1u", uintType, new CelUint(7), 8],
    ["x", bytesType, "AQI=", new Uint8Array([1, 2])],
    ["x", timestampType, timestamp, timestamp],
    ["x.getDayOfMonth()", timestampType, timestamp, 28],
    ["x + duration('1s')", durationType, "1h", "3601s"],
    ["x.map(i, i * 2)", listType(intType), [1, 2], [2, 4]],
    ["x", mapType(stringType, intType), { a: 1 }, { a: 1 }],
    ["{1: x}", intType, 2, new Map([[1, 2]])],
    ["type(x)", intType, 1, "int"],
    ["optional.none()", intType, 1, undefined],
    ["x", dynType, { __proto__: null, a: [null, true, 1.5] }, { a: [null, true, 1.5] }],
  ])("VL29: %s of a %s", (source, type, input, expected) => {
    assert.deepEqual(resultOf(source, type, input), expected);
  });

  test.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "VL28: only own keys of an object exist: %s",
    (name) => {
      const own: unknown = JSON.parse(`{ "${name}": 1 }`);
      for (const type of [dynType, mapType(stringType, intType)]) {
        assert.equal(resultOf(`'${name}' in x`, type, {}), false);
        assert.equal(resultOf(`'${name}' in x && x['${name}'] == 1`, type, own), true);
      }
      assert.equal(resultOf(`has(x.${name})`, objectType("T", { [name]: intType }), {}), false);
    },
  );

  it("a value that CEL has no type for is an error of the caller", () => {
    const rule = celEnv({ variables: { x: dynType } }).compile("x == 1");
    assert.throws(() => rule.evaluate({ x: () => 1 }), /CEL has no type for a function/);
    assert.throws(() => rule.evaluate({ x: new Set() }), /CEL has no type for a Set/);
    assert.throws(() => rule.evaluate({ x: 2n ** 64n }), /does not fit into 64 bits/);
  });
});

describe("own functions", () => {
  const own = (call: (text: string) => never | string) =>
    celEnv({
      libraries: [
        library("acme", {
          functions: [
            {
              name: "shout",
              overloads: [memberOverload("acme_shout", [stringType], stringType, call)],
            },
          ],
        }),
      ],
    })
      .compile("'hi'.shout()")
      .evaluate({});

  it("VK21: an error that a function throws is one of the expression, with its cause", () => {
    const cause = new Error("too loud");
    const outcome = own(() => {
      throw cause;
    });
    assert.deepEqual(outcome, {
      ok: false,
      error: { code: "Failed", message: "shout() failed: too loud", cause },
      cost: 1,
    });
  });

  test.each<[unknown, string]>([
    [1, "an int"],
    [1.5, "the number 1.5"],
    [Number.NaN, "the number NaN"],
    [2n ** 63n, "the number 9223372036854775808"],
    [undefined, "a JavaScript undefined"],
    [Promise.resolve("a"), "a promise (evaluation is synchronous)"],
    [null, "a null_type"],
  ])("VK21: a result of another type than the declared one is an error: %s", (result, shown) => {
    const outcome = own(() => result as string);
    assert.ok(!outcome.ok);
    assert.equal(outcome.error.message, `shout() returned ${shown} instead of string`);
  });

  it("VK21: a bigint and -0 become the one form that their integer has", () => {
    const integer = (result: number | bigint) =>
      celEnv({
        libraries: [
          library("acme", {
            functions: [
              { name: "count", overloads: [overload("acme_count", [], intType, () => result)] },
            ],
          }),
        ],
      })
        .compile("count() == 0 && [count()] == [0]")
        .evaluate({});
    for (const result of [0n, -0]) {
      assert.deepEqual(integer(result), { ok: true, value: true, cost: 14 });
    }
  });

  it("VK21: a function that Kubernetes declares cannot be declared again", () => {
    const size = overload("acme_size", [stringType], intType, (text) => text.length);
    assert.throws(
      () =>
        celEnv({
          libraries: [library("acme", { functions: [{ name: "size", overloads: [size] }] })],
        }),
      TypeError,
    );
  });
});
