import assert from "node:assert/strict";
import type { JsonObject } from "@typekube/core/internal";
import { it } from "vitest";
import { evaluate } from "../src/evaluation/evaluate.js";
import { integer, listOf, mapListOf, mapOf, objectOf, specOf, text } from "./rule-schemas.js";

function explanationsOf(
  schema: JsonObject,
  object: unknown,
  oldObject?: unknown,
): readonly (string | undefined)[] {
  const { causes } = evaluate({ schema, object, oldObject, version: "1.37", explain: true });
  return causes.map(({ explanation }) => explanation);
}

const sizes = { replicas: integer, max: integer };

it("VR20 [+]: evaluate explains a false rule, beside the server's message", () => {
  const schema = specOf(sizes, { rule: "self.replicas <= self.max", message: "too many" });
  const object = { spec: { replicas: 7, max: 5 } };
  assert.deepEqual(evaluate({ schema, object, explain: true }).causes, [
    {
      reason: "FieldValueInvalid",
      message: "Invalid value: too many",
      field: "spec",
      explanation: "self.replicas (7) <= self.max (5)",
      conjuncts: [
        {
          source: "self.replicas <= self.max",
          text: "self.replicas (7) <= self.max (5)",
          start: 0,
          end: 25,
        },
      ],
    },
  ]);
});

it("VR20 [+]: without being asked, causes and costs are those of a server", () => {
  const schema = specOf(sizes, "self.replicas <= self.max");
  const object = { spec: { replicas: 7, max: 5 } };
  const plain = evaluate({ schema, object });
  assert.deepEqual(Object.keys(plain.causes[0] ?? {}), ["reason", "message", "field"]);
  assert.equal(evaluate({ schema, object, explain: true }).cost, plain.cost);
});

it("VR20 [+]: explains escaped fields, maps, lists by key and the old value", () => {
  const named = mapListOf(["name"], objectOf({ name: text, port: integer }));
  const schema = specOf(
    { "a-b": integer, labels: mapOf(text), ports: named },
    "self.a__dash__b > oldSelf.a__dash__b",
    "self.labels.all(k, self.labels[k] != 'x')",
    "self.ports.all(p, p.port < 10)",
  );
  const spec = { "a-b": 1, labels: { app: "x" }, ports: [{ name: "a", port: 20 }] };
  assert.deepEqual(explanationsOf(schema, { spec }, { spec: { ...spec, "a-b": 2 } }), [
    "self.a__dash__b (1) > oldSelf.a__dash__b (2)",
    `self.labels["app"]: self.labels[k] ("x") != 'x'`,
    "self.ports[0]: p.port (20) < 10",
  ]);
});

it("VR20 [+]: explains a rule that fails", () => {
  const schema = specOf({ l: listOf(integer) }, "self.l[3] > 0 || self.l[2] > 0");
  assert.deepEqual(explanationsOf(schema, { spec: { l: [1] } }), [
    "self.l[3] (error: index out of bounds: 3) > 0 || self.l[2] (error: index out of bounds: 2) > 0",
  ]);
});
