import assert from "node:assert/strict";
import { it } from "vitest";
import { causesOf } from "./causes.js";
import { integer, mapOf, objectOf, specOf, text, withRules } from "./rule-schemas.js";

const object = {
  apiVersion: "example.com/v1",
  kind: "Widget",
  metadata: { name: "web", generateName: "we-", namespace: "ns", labels: { a: "b" }, uid: "1" },
  spec: { a: 1 },
  status: { y: 2 },
};
const properties = { spec: objectOf({ a: integer }), status: objectOf({ y: integer }) };

it("VR13: a rule of the root reaches apiVersion, kind, two fields of the metadata and all declared fields", () => {
  const holding = [
    "self.metadata.name == 'web' && self.metadata.generateName == 'we-'",
    "self.apiVersion == 'example.com/v1' && self.kind == 'Widget'",
    "self.spec.a == 1 && self.status.y == 2",
  ];
  assert.deepEqual(causesOf(objectOf(properties, ...holding), object), []);
  assert.deepEqual(causesOf(objectOf(properties, "self.metadata.name == 'x'"), object), [
    "<nil>: Invalid value: failed rule: self.metadata.name == 'x'",
  ]);
});

it("VR13: has() tells whether an object has a generateName", () => {
  const schema = objectOf(properties, "has(self.metadata.generateName)");
  assert.deepEqual(causesOf(schema, object), []);
  assert.deepEqual(causesOf(schema, { ...object, metadata: { name: "web" } }), [
    "<nil>: Invalid value: failed rule: has(self.metadata.generateName)",
  ]);
});

const declared = { ...properties, metadata: objectOf({ labels: mapOf(text), uid: text }) };

it.each([
  ["self.metadata.labels.a == 'b'", "labels"],
  ["has(self.metadata.labels)", "labels"],
  ["self.metadata.uid == '1'", "uid"],
  ["has(self.metadata.uid)", "uid"],
  ["self.metadata.namespace == 'ns'", "namespace"],
  ["self.status.z == 1", "z"],
])("VR13: `%s` does not compile, even if the schema declares the metadata", (rule, field) => {
  for (const fields of [properties, declared]) {
    const causes = causesOf(objectOf(fields, rule), object);
    assert.equal(causes.length, 1);
    assert.match(causes[0] ?? "", new RegExp(`compilation failed: .*undefined field '${field}'`));
  }
});

it("VR13: `metadata` and `kind` below the root are fields like others", () => {
  const schema = specOf(
    { metadata: objectOf({ x: integer }) },
    "self.metadata.x == 1",
    "has(self.kind)",
  );
  const causes = causesOf(schema, { spec: { metadata: { x: 1 }, kind: "K" } });
  assert.equal(causes.length, 1);
  assert.match(causes[0] ?? "", /undefined field 'kind'/);
});

const embedded = {
  type: "object",
  "x-kubernetes-embedded-resource": true,
  "x-kubernetes-preserve-unknown-fields": true,
};
const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p", labels: {}, uid: "1" },
  other: 1,
};

it("VR14: a rule of an embedded resource reaches apiVersion, kind and two fields of the metadata", () => {
  const rules = [
    "self.apiVersion == 'v1' && self.kind == 'Pod'",
    "self.metadata.name == 'p' && !has(self.metadata.generateName)",
  ];
  assert.deepEqual(causesOf(specOf({ pod: withRules(embedded, ...rules) }), { spec: { pod } }), []);
});

it("VR14: a rule around an embedded resource reaches the same fields", () => {
  const schema = specOf(
    { pod: embedded },
    "self.pod.apiVersion == 'v1' && self.pod.kind == 'Pod' && self.pod.metadata.name == 'p'",
    "!has(self.pod.metadata.generateName)",
  );
  assert.deepEqual(causesOf(schema, { spec: { pod } }), []);
});

it.each([
  ["has(self.metadata.labels)", "labels"],
  ["has(self.metadata.uid)", "uid"],
  ["self.other == 1", "other"],
])("VR14: `%s` does not compile in an embedded resource", (rule, field) => {
  const causes = causesOf(specOf({ pod: withRules(embedded, rule) }), { spec: { pod } });
  assert.equal(causes.length, 1);
  assert.match(causes[0] ?? "", new RegExp(`^spec.pod: .*undefined field '${field}'`));
});
