import assert from "node:assert/strict";
import { it } from "vitest";
import { celEnv, dynType, intType } from "../../src/index.js";

const env = celEnv({ version: "1.37", variables: { self: dynType, n: intType } });

function lintsOf(source: string): readonly string[] {
  return env
    .compile(source)
    .lint()
    .map(({ code, message }) => `${code} ${message}`);
}

it("VT8 [+]: tells the variables and functions of an expression", () => {
  const rule = env.compile("self.l.all(x, x.startsWith('a') && n in [1]) || size(self) > 2");
  assert.deepEqual(rule.uses, {
    variables: ["n", "self"],
    functions: ["@in", "_&&_", "_>_", "_||_", "size", "startsWith"],
  });
  assert.equal(rule.isConstant, false);
  const constant = env.compile("[1, 2].exists(x, x == 3)");
  assert.deepEqual(constant.uses.variables, []);
  assert.equal(constant.isConstant, true);
});

it.each([
  "true",
  "n == n",
  "self.a.b[0] <= self.a.b[0]",
  "size(self) >= 0",
  "0 <= self.size()",
  "-1 < size(self)",
  "size(self) != -1",
  "n > 3 || true",
  "n > 3 || self.a || !(n > 3)",
  "!(n > 3 && !(n > 3))",
  "n > 3 ? true : n == n",
  "true ? n == n : n > 3",
  "self.all(x, true)",
  "self.all(x, x == x)",
])("VT8 [+]: finds an expression that is always true: %s", (source) => {
  assert.deepEqual(lintsOf(source), [`AlwaysTrue always true: ${source}`]);
});

it.each([
  "false",
  "n != n",
  "n < n",
  "size(self) < 0",
  "0 > size(self)",
  "size(self) == -1",
  "n > 3 && false",
  "n > 3 && self.a && !(n > 3)",
  "self.exists(x, x != x)",
])("VT8 [+]: finds an expression that is always false: %s", (source) => {
  assert.deepEqual(lintsOf(source), [`AlwaysFalse always false: ${source}`]);
});

it.each([
  "n > 3",
  "n == n + 0",
  "self.a == self.b",
  "self.a == self['a']",
  "size(self) >= 1",
  "size(self) == 0",
  "1 < size(self)",
  "n > 3 || !(n > 4)",
  "self.exists(x, true)",
  "self.all(x, false)",
  "self.all(x, x == 1) || !self.all(y, y == 1)",
  "self.exists_one(x, true)",
  "has(self.a) || !has(self.b)",
  "n > 3 ? true : n == 2",
  "{'a': self}[?'b'] == {'b': self}[?'b']",
])("VT8 [+]: an expression whose input decides has no finding: %s", (source) => {
  assert.deepEqual(lintsOf(source), []);
});

it("VT8 [+]: finds a conjunct that is always true, with its place", () => {
  const lints = env.compile("n > 3 && self.all(x, x != 1 && 'a' == 'a')").lint();
  assert.deepEqual(lints, [
    { code: "AlwaysTrue", message: "always true: 'a' == 'a'", start: 31, end: 41 },
  ]);
});

it("VT8 [+]: finds an expression that reads no variable", () => {
  assert.deepEqual(lintsOf("[1, 2].exists(x, x == 3)"), [
    "ReadsNoVariable reads no variable: [1, 2].exists(x, x == 3)",
  ]);
});

it("VT8 [+]: an expression that is no condition has no findings", () => {
  assert.deepEqual(lintsOf("1 + 2"), []);
});
