import assert from "node:assert/strict";
import { it } from "vitest";
import { causesOf, undefinedField } from "./causes.js";
import { integer, listOf, mapOf, objectOf, specOf, text, withRules } from "./rule-schemas.js";

it("CEL51: rules reach a field whose name begins with a letter, `_`, `.`, `-` or `/`", () => {
  const names = ["_a", "-a", ".a", "/a", "a9"];
  const rules = ["_a", "__dash__a", "__dot__a", "__slash__a", "a9"].map(
    (name) => `self.${name} == 1`,
  );
  const schema = specOf(Object.fromEntries(names.map((name) => [name, integer])), ...rules);
  const spec = Object.fromEntries(names.map((name) => [name, 1]));
  assert.deepEqual(causesOf(schema, { spec }), []);
});

it("CEL51: rules do not reach a field such as `a b`, but its own rules run", () => {
  const schema = specOf({ "a b": withRules(integer, "self > 5"), "1a": integer }, "self.a == 1");
  assert.deepEqual(causesOf(schema, { spec: { "a b": 1, "1a": 1 } }), [
    undefinedField("a", "self.a == 1"),
    "spec.a b: Invalid value: 1: failed rule: self > 5",
  ]);
});

it("CEL52: `__`, `.`, `-` and `/` in names have escapes, single underscores have none", () => {
  const schema = specOf(
    { u__v: integer, "x.y": integer, "x-y": integer, "x/y": integer, a_b: integer },
    "self.u__underscores__v == 1 && self.x__dot__y == 2",
    "self.x__dash__y == 3 && self.x__slash__y == 4 && self.a_b == 5",
  );
  const spec = { u__v: 1, "x.y": 2, "x-y": 3, "x/y": 4, a_b: 5 };
  assert.deepEqual(causesOf(schema, { spec }), []);
});

it.each(["self.x_y == 1", "self.x__space__y == 1", "self.x__dash__z == 1", "self.`x-y` == 1"])(
  "CEL52: `%s` reaches no field of that name",
  (rule) => {
    const [, field = ""] = /\.`?([\w-]+)/.exec(rule) ?? [];
    const schema = specOf({ "x-y": integer }, rule);
    assert.deepEqual(causesOf(schema, { spec: { "x-y": 1 } }), [undefinedField(field, rule)]);
  },
);

it("VR15: `a-b` and `a__dash__b` in one object are both reached by their own escapes", () => {
  const schema = specOf(
    { "a-b": integer, a__dash__b: integer },
    "self.a__dash__b == 1",
    "self.a__underscores__dash__underscores__b == 2",
  );
  assert.deepEqual(causesOf(schema, { spec: { "a-b": 1, a__dash__b: 2 } }), []);
  assert.equal(causesOf(schema, { spec: { "a-b": 2, a__dash__b: 1 } }).length, 2);
});

const words =
  "as break const continue else for function if import let loop package namespace return var void while";

it.each(words.split(" "))("CEL53: a field `%s` is reached with and without its escape", (word) => {
  const schema = specOf({ [word]: integer }, `self.__${word}__ == 1`, `self.${word} == 1`);
  assert.deepEqual(causesOf(schema, { spec: { [word]: 1 } }), []);
  assert.deepEqual(causesOf(schema, { spec: { [word]: 2 } }), [
    `spec: Invalid value: failed rule: self.__${word}__ == 1`,
    `spec: Invalid value: failed rule: self.${word} == 1`,
  ]);
});

it.each(["true", "false", "null", "in"])(
  "CEL53: a field `%s` is reached by its escape only",
  (word) => {
    const schema = specOf({ [word]: integer }, `self.__${word}__ == 1`);
    assert.deepEqual(causesOf(schema, { spec: { [word]: 1 } }), []);
    const [cause] = causesOf(specOf({ [word]: integer }, `self.${word} == 1`), {
      spec: { [word]: 1 },
    });
    assert.match(cause ?? "", /compilation failed: ERROR: <input>:1:6: Syntax error/);
  },
);

it("CEL53: names of types are no reserved words", () => {
  const properties = { int: integer, string: text, sprint: integer };
  const rules = ["self.int == 1 && self.string == 'a' && self.sprint == 2"];
  const spec = { int: 1, string: "a", sprint: 2 };
  assert.deepEqual(causesOf(specOf(properties, ...rules), { spec }), []);
  assert.deepEqual(causesOf(specOf(properties, "self.__int__ == 1"), { spec }), [
    undefinedField("__int__", "self.__int__ == 1"),
  ]);
});

it("CEL52: escapes are for fields; keys of a map stay as they are", () => {
  const schema = specOf(
    { map: mapOf(integer) },
    "self.map['a-b'] == 1 && self.map.`a-b` == 1 && self.map.namespace == 2",
    "!('a__dash__b' in self.map)",
  );
  assert.deepEqual(causesOf(schema, { spec: { map: { "a-b": 1, namespace: 2 } } }), []);
});

it("VL28: a field that only JavaScript's objects have is absent", () => {
  const names = ["constructor", "toString", "__proto__"];
  const properties = Object.fromEntries(names.map((name) => [name, integer]));
  const rules = ["constructor", "toString"].map((name) => `!has(self.${name})`);
  assert.deepEqual(causesOf(specOf(properties, ...rules), { spec: {} }), []);
  const map = specOf({ map: mapOf(integer) }, "!('toString' in self.map) && size(self.map) == 0");
  assert.deepEqual(causesOf(map, { spec: { map: {} } }), []);
});

it("VR6: a reason decides the reason and the words of the cause", () => {
  const above5 = (reason: string) => ({ rule: "self.a > 5", message: "wrong", reason });
  const list = (reason: string) => ({ rule: "self > 5", message: "wrong", reason });
  const found = ["Invalid", "Required", "Forbidden", "Duplicate"].map((name) => {
    const reason = `FieldValue${name}`;
    const schema = specOf({ a: withRules(integer, list(reason)) }, above5(reason));
    return causesOf(schema, { spec: { a: 1 } });
  });
  assert.deepEqual(found, [
    ["spec: Invalid value: wrong", "spec.a: Invalid value: 1: wrong"],
    ["spec: Required value: wrong", "spec.a: Required value: wrong"],
    ["spec: Forbidden: wrong", "spec.a: Forbidden: wrong"],
    ["spec: Duplicate value", "spec.a: Duplicate value: 1"],
  ]);
});

it("VR6: the field of a cause follows fieldPath, at the root and in lists, too", () => {
  const schema = objectOf(
    { a: integer, list: listOf(objectOf({ b: integer }, { rule: "self.b > 1", fieldPath: ".b" })) },
    { rule: "self.a > 1", fieldPath: ".a" },
  );
  assert.deepEqual(causesOf(schema, { a: 1, list: [{ b: 2 }, { b: 1 }] }), [
    "a: Invalid value: failed rule: self.a > 1",
    "list[1].b: Invalid value: failed rule: self.b > 1",
  ]);
});
