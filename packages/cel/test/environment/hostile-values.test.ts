import assert from "node:assert/strict";
import { it } from "vitest";
import { celEnv, dynType } from "../../src/index.js";

const env = celEnv({ version: "1.37", variables: { x: dynType, y: dynType } });

/** Levels of a value: more than any stack has room for. */
const levels = 200_000;

function nested(wrap: (value: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) {
    value = wrap(value);
  }
  return value;
}

const wraps: readonly (readonly [string, (value: unknown) => unknown])[] = [
  ["lists", (value) => [value]],
  ["maps", (value) => ({ a: value })],
];
const deep = wraps.map(([name, wrap]) => [name, nested(wrap), nested(wrap)] as const);

const failing = [
  "x == y",
  "x != y",
  "x in [y]",
  "[x] == [y]",
  "{'a': x} == {'a': y}",
  "[x, y].distinct().size() == 2",
  "sets.equivalent([x], [y])",
  "optional.of(x) == optional.of(y)",
  "'%s'.format([x]) == ''",
  "x",
  "[x].map(z, z)",
];

it.each(failing.flatMap((source) => deep.map(([name, x, y]) => [source, name, x, y] as const)))(
  "VS5 [+]: %s of deeply nested %s is an error as a value",
  (source, _, x, y) => {
    const rule = env.compile(source);
    const outcome = rule.evaluate({ x, y });
    assert.deepEqual(outcome, {
      ok: false,
      error: { code: "Failed", message: "a value is nested too deeply" },
      cost: outcome.cost,
    });
    assert.ok(rule.explain({ x, y }).text.length < 1000);
  },
);

it.each(["size(x) == 2", "[x].distinct() == []", "[[x]].flatten() == []"])(
  "VS5 [+]: %s reads the outer levels only",
  (source) => {
    for (const [, x] of deep) {
      const rule = env.compile(source);
      assert.equal(rule.evaluate({ x }).ok, true);
      assert.ok(rule.explain({ x }).text.length < 1000);
    }
  },
);

it("VS5 [+]: a value that refers to itself is an error as a value", () => {
  const x: unknown[] = [];
  x.push(x);
  assert.equal(env.compile("x == [x]").evaluate({ x }).ok, false);
  assert.equal(env.compile("x").evaluate({ x }).ok, false);
  assert.match(env.compile("x == 1").explain({ x }).text, /^x \(\[\[\[\.\.\.\]\]\]\) == 1$/);
});
