import assert from "node:assert/strict";
import { describe, it } from "vitest";
import {
  boolType,
  celEnv,
  dynType,
  intType,
  listType,
  mapType,
  objectType,
  stringType,
} from "../../src/index.js";

const port = objectType("Port", { name: stringType, number: intType, tags: listType(stringType) });
const widget = objectType("Widget", {
  replicas: intType,
  max: intType,
  name: stringType,
  mode: stringType,
  enabled: boolType,
  any: dynType,
  names: listType(stringType),
  labels: mapType(stringType, stringType),
  ports: listType(port),
});
const env = celEnv({ version: "1.37", variables: { self: widget } });
const self = {
  replicas: 7,
  max: 5,
  name: "db-0",
  mode: "a",
  enabled: false,
  names: ["web-0", "db-0", "x"],
  labels: { app: "web", tier: "db" },
  ports: [
    { name: "a", number: 1, tags: ["x"] },
    { name: "b", number: 2, tags: ["y", "z"] },
  ],
};

function why(source: string, variables: object = self): readonly string[] {
  return env
    .compile(source)
    .explain({ self: variables })
    .conjuncts.map(({ text }) => text);
}

describe("an explanation of a false expression", () => {
  it("VR20 [+]: shows the values of a comparison", () => {
    assert.deepEqual(why("self.replicas <= self.max"), ["self.replicas (7) <= self.max (5)"]);
    assert.deepEqual(why("self.replicas + self.max * 2 == 3"), [
      "self.replicas (7) + self.max (5) * 2 == 3",
    ]);
  });

  it("VR20 [+]: has each false conjunct that was evaluated, with its place in the text", () => {
    const source = "self.replicas > 0 && self.replicas <= self.max && self.name == 'x'";
    const { conjuncts, text } = env.compile(source).explain({ self });
    assert.deepEqual(conjuncts, [
      {
        source: "self.replicas <= self.max",
        text: "self.replicas (7) <= self.max (5)",
        start: 21,
        end: 46,
      },
    ]);
    assert.equal(text, "self.replicas (7) <= self.max (5)");
  });

  it("VR20 [+]: a true expression has none", () => {
    assert.deepEqual(env.compile("self.replicas == 7").explain({ self }), {
      conjuncts: [],
      text: "",
    });
  });

  it.each([
    ["self.replicas < 3 || self.max > 9", "self.replicas (7) < 3 || self.max (5) > 9"],
    ["!(self.replicas > 3 || self.max > 9)", "!(self.replicas (7) > 3)"],
    ["!!(self.replicas < 3)", "self.replicas (7) < 3"],
    ["!(self.replicas > 3 && self.max > 2)", "!(self.replicas (7) > 3 && self.max (5) > 2)"],
    ["!has(self.name)", "!has(self.name)"],
    ["has(self.any)", "has(self.any)"],
    ["self.enabled", "self.enabled (false)"],
    ["false", "false"],
  ])("VR20 [+]: works through || and !: %s", (source, text) => {
    assert.deepEqual(why(source), [text]);
  });

  it("VR20 [+]: shows the branch that ? : took, and why", () => {
    assert.deepEqual(why("self.mode == 'a' ? self.replicas < 3 : self.replicas < 10"), [
      `self.replicas (7) < 3, where self.mode ("a") == 'a'`,
    ]);
    assert.deepEqual(why("self.mode != 'a' ? self.replicas < 9 : self.replicas < 4"), [
      `self.replicas (7) < 4, where !(self.mode ("a") != 'a')`,
    ]);
    assert.deepEqual(why("!(has(self.mode) ? self.max > 4 : false)"), [
      "!(self.max (5) > 4), where has(self.mode)",
    ]);
  });

  it.each([
    ["self.names.all(n, n.startsWith('web-'))", `self.names[1]: n ("db-0").startsWith('web-')`],
    [
      "self.labels.all(k, self.labels[k] == 'web')",
      `self.labels["tier"]: self.labels[k] ("db") == 'web'`,
    ],
    ["self.labels.all(k, v, v == 'web')", `self.labels["tier"]: v ("db") == 'web'`],
    ["self.names.all(i, n, i < 1)", "self.names[1]: i (1) < 1"],
    ["{'a': 1}.all(k, k == 'b')", `{'a': 1}["a"]: k ("a") == 'b'`],
    ["[1, 2].all(x, x > 1)", "[1, 2][0]: x (1) > 1"],
    [
      "self.ports.all(p, p.tags.all(t, t != 'z') && p.number < 9)",
      `self.ports[1]: p.tags[1]: t ("z") != 'z'`,
    ],
    ["!self.names.exists(n, n == 'x')", `self.names[2]: !(n ("x") == 'x')`],
    ["!self.names.exists_one(n, n == 'x')", `self.names[2]: !(n ("x") == 'x')`],
  ])("VR20 [+]: names the element for which a condition decides: %s", (source, text) => {
    assert.deepEqual(why(source), [text]);
  });

  it("VR20 [+]: shows the first elements for which exists fails, and counts the others", () => {
    assert.deepEqual(why("self.ports.exists(p, p.number > 7)"), [
      "self.ports.exists(p, p.number > 7) (self.ports[0]: p.number (1) > 7; self.ports[1]: p.number (2) > 7)",
    ]);
    const names = Array.from({ length: 100 }, (_, index) => `n${index}`);
    assert.deepEqual(why("self.names.exists(n, n == 'x')", { names }), [
      `self.names.exists(n, n == 'x') (self.names[0]: n ("n0") == 'x'; self.names[1]: n ("n1") == 'x'; self.names[2]: n ("n2") == 'x'; 97 more)`,
    ]);
    assert.deepEqual(why("self.names.exists(n, n == 'x')", { names: [] }), [
      "self.names.exists(n, n == 'x') (no elements)",
    ]);
  });

  it("VR20 [+]: counts the elements that exists_one found", () => {
    assert.deepEqual(why("self.names.exists_one(n, n.size() > 1)"), [
      "self.names.exists_one(n, n.size() > 1) (2 of 3 elements match: self.names[0], self.names[1])",
    ]);
    assert.deepEqual(why("self.names.exists_one(n, n == 'q')"), [
      "self.names.exists_one(n, n == 'q') (0 of 3 elements match)",
    ]);
  });

  it("VR20 [+]: explains a loop inside of another expression", () => {
    assert.deepEqual(why("!has(self.mode) || self.ports.all(p, p.number > 1)"), [
      "!has(self.mode) || self.ports.all(p, p.number > 1) (self.ports[0]: p.number (1) > 1)",
    ]);
    assert.deepEqual(why("self.names.all(n, n != '') == false"), [
      "self.names.all(n, n != '') (3 elements) == false",
    ]);
  });

  it.each([
    ["self.name in ['a', 'b']", `self.name ("db-0") in ['a', 'b']`],
    ["self.mode in self.names", `self.mode ("a") in self.names (["web-0", "db-0", "x"])`],
    ["size(self.names) < 3", "size(self.names) (3) < 3"],
    ["self.names.size() < 3", "self.names.size() (3) < 3"],
    ["self.name.startsWith('web-')", `self.name ("db-0").startsWith('web-')`],
    ["self.name.lowerAscii() == 'x'", `self.name.lowerAscii() ("db-0") == 'x'`],
    ["self.names[0] == 'x'", `self.names[0] ("web-0") == 'x'`],
    ["self.?any.orValue(3) > 4", "self.?any.orValue(3) (3) > 4"],
    [
      "quantity('2').isGreaterThan(quantity(string(self.max)))",
      `quantity('2').isGreaterThan(quantity(string(self.max) ("5")))`,
    ],
    ["self.labels == {'a': 'b'}", `self.labels ({"app": "web", "tier": "db"}) == {'a': 'b'}`],
  ])("VR20 [+]: shows what functions and operators saw: %s", (source, text) => {
    assert.deepEqual(why(source), [text]);
  });

  it("VR20 [+]: shows the error of an expression that fails, at its place", () => {
    assert.deepEqual(why("self.max > 0 && self.any.foo == 3"), [
      "self.any.foo (error: no such key: any) == 3",
    ]);
    assert.deepEqual(why("self.names[5] == 'x'"), [
      "self.names[5] (error: index out of bounds: 5) == 'x'",
    ]);
    assert.deepEqual(why("self.any.foo == 3 && self.max == 1"), ["self.max (5) == 1"]);
  });

  it("VR20 [+]: an expression over several lines is shown in one", () => {
    assert.deepEqual(why("self.max\n  ==\n  3"), ["self.max (5) == 3"]);
  });

  it("VR20 [+]: counts characters beyond the 16 bits as one", () => {
    assert.deepEqual(why("'😀' == '😀' && self.name == '😀'"), [`self.name ("db-0") == '😀'`]);
  });

  it("VR20 [+]: long values, lists and texts are cut", () => {
    assert.deepEqual(why("self.name == 'x'", { name: "y".repeat(1000) }), [
      `self.name ("${"y".repeat(79)}...) == 'x'`,
    ]);
    const names = Array.from({ length: 100 }, () => "n");
    assert.deepEqual(why("self.names == ['x']", { names }), [
      `self.names (["n", "n", "n", "n", "n", 95 more]) == ['x']`,
    ]);
    const [text = ""] = why(`self.name == '${"x".repeat(5000)}'`);
    assert.equal(text.length, 1003);
  });

  it("VR20 [+]: at most ten conjuncts are explained", () => {
    const source = `!(${Array.from({ length: 30 }, (_, i) => `!(self.max == ${i + 10})`).join(" && ")})`;
    assert.equal(why(source).length, 1);
    const failing = Array.from({ length: 30 }, (_, i) => `self.any.a${i} == 1`).join(" && ");
    assert.equal(why(failing).length, 10);
  });

  it("VR20 [+]: an evaluation that costs too much says so", () => {
    const rule = env.compile("self.names.all(n, n != 'x')");
    assert.deepEqual(rule.explain({ self }, { costLimit: 3 }), {
      conjuncts: [],
      text: "operation cancelled: actual cost limit exceeded",
    });
  });
});
