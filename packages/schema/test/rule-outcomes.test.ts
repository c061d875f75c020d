import assert from "node:assert/strict";
import { it } from "vitest";
import { evaluate } from "../src/evaluation/evaluate.js";
import { causesOf } from "./causes.js";
import { integer, listOf, mapOf, objectOf, specOf, text, withRules } from "./rule-schemas.js";

const grows = specOf({ a: integer }, "self.a > oldSelf.a");
const growsFailed = "spec: Invalid value: failed rule: self.a > oldSelf.a";

it("VR1: a rule is skipped where the value is null, in fields and in lists", () => {
  const above5 = withRules({ ...integer, nullable: true }, "self > 5");
  const schema = specOf({ a: above5, list: listOf(above5) });
  assert.deepEqual(causesOf(schema, { spec: { a: null, list: [null, 1, 9] } }), [
    "spec.list[1]: Invalid value: 1: failed rule: self > 5",
  ]);
});

it("VR1: a null field counts as absent for the rule of its parent", () => {
  const schema = specOf({ a: { ...integer, nullable: true } }, "has(self.a)");
  assert.deepEqual(causesOf(schema, { spec: { a: null } }), [
    "spec: Invalid value: failed rule: has(self.a)",
  ]);
});

it("VR2: a rule with oldSelf is skipped where there is no old value, and costs nothing", () => {
  const nullable = objectOf({
    spec: { ...objectOf({ a: integer }, "self.a > oldSelf.a"), nullable: true },
  });
  const object = { spec: { a: 1 } };
  for (const [schema, oldObject] of [
    [grows, undefined],
    [grows, {}],
    [nullable, { spec: null }],
  ] as const) {
    const { causes, cost } = evaluate({ schema, object, oldObject });
    assert.deepEqual({ causes, cost }, { causes: [], cost: 0 });
  }
});

it("VR2: a rule with oldSelf runs on an update, whether the value changed or not", () => {
  assert.deepEqual(causesOf(grows, { spec: { a: 2 } }, { spec: { a: 1 } }), []);
  assert.deepEqual(causesOf(grows, { spec: { a: 1 } }, { spec: { a: 1 } }), [growsFailed]);
  assert.deepEqual(causesOf(grows, { spec: { a: 1 } }, { spec: { a: 2 } }), [growsFailed]);
});

it("VR2: with optionalOldSelf a rule runs on a create, too, with an empty optional", () => {
  const rule = "oldSelf.hasValue() ? self.a >= oldSelf.value().a : self.a == 0";
  const schema = specOf({ a: integer }, { rule, optionalOldSelf: true, message: "wrong" });
  const wrong = ["spec: Invalid value: wrong"];
  assert.deepEqual(causesOf(schema, { spec: { a: 0 } }), []);
  assert.deepEqual(causesOf(schema, { spec: { a: 1 } }), wrong);
  assert.deepEqual(causesOf(schema, { spec: { a: 3 } }, { spec: { a: 2 } }), []);
  assert.deepEqual(causesOf(schema, { spec: { a: 1 } }, { spec: { a: 2 } }), wrong);
});

it("VR8: an error shows the value of a scalar and leaves out an object or a list", () => {
  const schema = objectOf({
    text: withRules(text, "size(self) > 5"),
    bytes: withRules({ ...text, format: "byte" }, "size(self) > 5"),
    number: withRules({ type: "number" }, "self > 5.0"),
    flag: withRules({ type: "boolean" }, "self"),
    either: withRules({ "x-kubernetes-int-or-string": true }, "self == 3"),
    list: withRules(listOf(integer), "size(self) > 5"),
    map: withRules(mapOf(text), "size(self) > 5"),
    object: objectOf({ a: integer }, "self.a > 5"),
  });
  const object = {
    text: 'x"y',
    bytes: "YWI=",
    number: 1.5,
    flag: false,
    either: "x",
    list: [1],
    map: { a: "b" },
    object: { a: 1 },
  };
  assert.deepEqual(causesOf(schema, object), [
    'text: Invalid value: "x\\"y": failed rule: size(self) > 5',
    'bytes: Invalid value: "YWI=": failed rule: size(self) > 5',
    "number: Invalid value: 1.5: failed rule: self > 5.0",
    "flag: Invalid value: false: failed rule: self",
    'either: Invalid value: "x": failed rule: self == 3',
    "list: Invalid value: failed rule: size(self) > 5",
    "map: Invalid value: failed rule: size(self) > 5",
    "object: Invalid value: failed rule: self.a > 5",
  ]);
});

it("VR9: a run-time error is reported with the rule, and the other rules still run", () => {
  const schema = specOf(
    { a: integer, b: withRules(integer, "self > 9"), list: listOf(integer), map: mapOf(text) },
    "self.a > 0",
    "self.list[3] > 0",
    "self.map['x'] == 'y'",
    "self.b + 9223372036854775807 > 0",
    "1 / (self.b - 1) > 0",
    "self.b == 2",
  );
  const failed = 'spec: Invalid value: "object":';
  assert.deepEqual(causesOf(schema, { spec: { b: 1, list: [1], map: {} } }), [
    `${failed} no such key: a evaluating rule: self.a > 0`,
    `${failed} index out of bounds: 3 evaluating rule: self.list[3] > 0`,
    `${failed} no such key: x evaluating rule: self.map['x'] == 'y'`,
    `${failed} integer overflow evaluating rule: self.b + 9223372036854775807 > 0`,
    `${failed} division by zero evaluating rule: 1 / (self.b - 1) > 0`,
    "spec: Invalid value: failed rule: self.b == 2",
    "spec.b: Invalid value: 1: failed rule: self > 9",
  ]);
});

it("VR9: a run-time error names a rule by its message, and ignores its reason and field", () => {
  const schema = specOf(
    { a: integer },
    { rule: "self.a > 0", message: "a is above 0", reason: "FieldValueForbidden", fieldPath: ".a" },
  );
  assert.deepEqual(causesOf(schema, { spec: {} }), [
    'spec: Invalid value: "object": no such key: a evaluating rule: a is above 0',
  ]);
});

it("VR10: a run-time error of a missing overload has a text of its own", () => {
  const schema = specOf({ v: { "x-kubernetes-int-or-string": true } }, "self.v > 5", {
    rule: "self.v > 6",
    message: "more than 6",
  });
  const why =
    "'no such overload': call arguments did not match a supported operator, function or macro signature for rule";
  assert.deepEqual(causesOf(schema, { spec: { v: "x" } }), [
    `spec: Invalid value: "object": ${why}: self.v > 5`,
    `spec: Invalid value: "object": ${why}: more than 6`,
  ]);
  assert.deepEqual(causesOf(schema, { spec: { v: 7 } }), []);
});
