import assert from "node:assert/strict";
import type { JsonObject } from "@typekube/core/internal";
import { it } from "vitest";
import { evaluate } from "../src/evaluation/evaluate.js";
import {
  integer,
  listOf,
  mapListOf,
  mapOf,
  objectOf,
  setOf,
  specOf,
  text,
  withRules,
} from "./rule-schemas.js";

const above5 = withRules(integer, { rule: "self > 5", message: "small" });

interface Found {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

function update(schema: JsonObject, object: unknown, oldObject: unknown): Found {
  const { causes, warnings } = evaluate({ schema, object, oldObject });
  return { errors: causes.map(({ field, message }) => `${field}: ${message}`), warnings };
}

it("VR11: an error in a value that the update leaves as it is becomes a warning", () => {
  const schema = objectOf({ a: above5, b: integer });
  assert.deepEqual(update(schema, { a: 1, b: 2 }, { a: 1, b: 1 }), {
    errors: [],
    warnings: ["a: Invalid value: 1: small"],
  });
});

it("VR11: an error in a value that the update changes or adds stays an error", () => {
  const failed = { errors: ["a: Invalid value: 2: small"], warnings: [] };
  assert.deepEqual(update(objectOf({ a: above5 }), { a: 2 }, { a: 1 }), failed);
  assert.deepEqual(update(objectOf({ a: above5 }), { a: 2 }, {}), failed);
  const nullable = objectOf({ a: { ...above5, nullable: true } });
  assert.deepEqual(update(nullable, { a: 2 }, { a: null }), failed);
});

it("VR11: a rule of an object is an error as soon as any field of the object changes", () => {
  const schema = objectOf({ spec: objectOf({ a: integer, b: integer }, "self.a > 5"), x: integer });
  const failed = "spec: Invalid value: failed rule: self.a > 5";
  assert.deepEqual(update(schema, { spec: { a: 1, b: 2 } }, { spec: { a: 1, b: 1 } }), {
    errors: [failed],
    warnings: [],
  });
  assert.deepEqual(update(schema, { spec: { a: 1 }, x: 1 }, { spec: { a: 1 }, x: 2 }), {
    errors: [],
    warnings: [failed],
  });
});

it("VR11: a rule of the root is an error as soon as the metadata change", () => {
  const schema = objectOf({ spec: objectOf({ a: integer }) }, "self.spec.a > 5");
  const at = (resourceVersion: string) => ({ metadata: { resourceVersion }, spec: { a: 1 } });
  const failed = "<nil>: Invalid value: failed rule: self.spec.a > 5";
  assert.deepEqual(update(schema, at("2"), at("1")), { errors: [failed], warnings: [] });
  assert.deepEqual(update(schema, at("1"), at("1")), { errors: [], warnings: [failed] });
});

it("VR11: a rule with oldSelf fails in an unchanged part, too", () => {
  const optional = {
    rule: "!oldSelf.hasValue() || self > oldSelf.value()",
    optionalOldSelf: true,
    message: "grows",
  };
  const schema = objectOf({
    a: withRules(integer, { rule: "self > oldSelf", message: "grows" }, optional),
  });
  assert.deepEqual(update(schema, { a: 1 }, { a: 1 }), {
    errors: ["a: Invalid value: 1: grows", "a: Invalid value: 1: grows"],
    warnings: [],
  });
});

it("VR11: a run-time error stays an error in an unchanged part", () => {
  const schema = objectOf({ spec: objectOf({ a: integer }, "self.a > 5"), x: integer });
  assert.deepEqual(update(schema, { spec: {}, x: 1 }, { spec: {}, x: 2 }), {
    errors: ['spec: Invalid value: "object": no such key: a evaluating rule: self.a > 5'],
    warnings: [],
  });
});

it("VR11: elements of lists without keys are unchanged only if the whole list is", () => {
  for (const list of [listOf(above5), setOf(above5)]) {
    const schema = objectOf({ list, x: integer });
    const [first, second] = [
      "list[0]: Invalid value: 1: small",
      "list[1]: Invalid value: 2: small",
    ];
    assert.deepEqual(update(schema, { list: [1, 2], x: 1 }, { list: [1, 2], x: 2 }), {
      errors: [],
      warnings: [first, second],
    });
    assert.deepEqual(update(schema, { list: [1, 2] }, { list: [1] }), {
      errors: [first, second],
      warnings: [],
    });
  }
});

it("VR11: elements of a list of type map are compared with the old ones of the same keys", () => {
  const items = objectOf({ name: text, p: above5 }, { rule: "self.p > 6", message: "element" });
  const schema = objectOf({ list: mapListOf(["name"], items) });
  const list = ["b", "a", "new"].map((name) => ({ name, p: 1 }));
  const old = [
    { name: "a", p: 1 },
    { name: "b", p: 2 },
  ];
  assert.deepEqual(update(schema, { list }, { list: old }), {
    errors: [
      "list[0]: Invalid value: element",
      "list[0].p: Invalid value: 1: small",
      "list[2]: Invalid value: element",
      "list[2].p: Invalid value: 1: small",
    ],
    warnings: ["list[1]: Invalid value: element", "list[1].p: Invalid value: 1: small"],
  });
});

it("VR11: values of a map are compared by key", () => {
  const schema = objectOf({ map: mapOf(above5) });
  assert.deepEqual(update(schema, { map: { a: 1, b: 1 } }, { map: { a: 1 } }), {
    errors: ["map[b]: Invalid value: 1: small"],
    warnings: ["map[a]: Invalid value: 1: small"],
  });
});

it("VR11: a warning has the message of the message expression and the field of fieldPath", () => {
  const rule = {
    rule: "self.a > 5",
    messageExpression: "'got ' + string(self.a)",
    fieldPath: ".a",
  };
  const schema = objectOf({ spec: objectOf({ a: integer }, rule), x: integer });
  assert.deepEqual(update(schema, { spec: { a: 1 }, x: 1 }, { spec: { a: 1 }, x: 2 }), {
    errors: [],
    warnings: ["spec.a: Invalid value: got 1"],
  });
});

it("VR11: a rule in allOf stays an error in an unchanged part, as in Kubernetes", () => {
  const inAllOf = {
    ...objectOf({ a: integer }, "self.a > 6"),
    allOf: [withRules({}, "self.a > 5")],
  };
  const schema = objectOf({ spec: inAllOf, x: integer });
  assert.deepEqual(update(schema, { spec: { a: 1 }, x: 1 }, { spec: { a: 1 }, x: 2 }), {
    errors: ["spec: Invalid value: failed rule: self.a > 5"],
    warnings: ["spec: Invalid value: failed rule: self.a > 6"],
  });
});

it("VS5 [+]: parts that are nested too deeply to be compared count as changed", () => {
  let deep: unknown = 1;
  for (let level = 0; level < 200_000; level += 1) {
    deep = { a: deep };
  }
  const free = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const schema = specOf({ free, a: { type: "integer" } }, "self.a > 1");
  const { causes, warnings } = evaluate({
    schema,
    object: { spec: { a: 1, free: { deep } } },
    oldObject: { spec: { a: 1, free: { deep: { a: deep } } } },
  });
  assert.equal(causes.length, 1);
  assert.deepEqual(warnings, []);
});
