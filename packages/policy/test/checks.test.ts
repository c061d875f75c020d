import assert from "node:assert/strict";
import type { StatusCause } from "@typekube/core";
import { describe, it } from "vitest";
import {
  checkMutatingPolicy,
  checkValidatingPolicy,
  checkWebhookConditions,
} from "../src/index.js";
import { apply, patch } from "./requests.js";

const metadata = { name: "p" };

function shown(causes: readonly StatusCause[]): readonly string[] {
  return causes.map(({ field, message }) => `${field}: ${message?.split("\n")[0]}`);
}

describe("checks of policies", () => {
  it("VT7: results have the types that their fields need", () => {
    const causes = checkValidatingPolicy({
      metadata,
      spec: {
        validations: [
          { expression: "1" },
          { expression: "object.flag" },
          { expression: "true", messageExpression: "1" },
        ],
        auditAnnotations: [{ key: "k", valueExpression: "1" }],
      },
    });
    assert.deepEqual(shown(causes), [
      'spec.validations[0].expression: Invalid value: "1": must evaluate to bool but got int',
      'spec.validations[1].expression: Invalid value: "object.flag": must evaluate to bool but got dyn',
      'spec.validations[2].messageExpression: Invalid value: "1": must evaluate to string but got int',
      'spec.auditAnnotations[0].valueExpression: Invalid value: "1": must evaluate to one of [string null_type] but got int',
    ]);
  });

  it("VA3: variables have valid names, and only earlier ones are known", () => {
    const causes = checkValidatingPolicy({
      metadata,
      spec: {
        variables: [
          { name: "", expression: " " },
          { name: "for", expression: "1" },
          { name: "a", expression: "variables.b" },
          { name: "b", expression: "1" },
        ],
        validations: [{ expression: "variables.b == 1" }],
      },
    });
    assert.deepEqual(shown(causes), [
      "spec.variables[0].name: Required value: name is not specified",
      "spec.variables[0].expression: Required value: expression is not specified",
      'spec.variables[1].name: Invalid value: "for": must be a valid CEL identifier',
      "spec.variables[2].expression: Invalid value: \"variables.b\": compilation failed: ERROR: <input>:1:10: undefined field 'b'",
    ]);
  });

  it("VR17: stored expressions may use everything that newer versions know", () => {
    const policy = {
      metadata,
      spec: { validations: [{ expression: "[1, 2].includes(1)" }] },
    };
    assert.equal(checkValidatingPolicy(policy).length, 1);
    assert.equal(checkValidatingPolicy(policy, policy).length, 0);
  });

  it("VA8: match conditions have unique qualified names, and no variables", () => {
    const matchConditions = [
      { name: "a b", expression: "true" },
      { name: "c", expression: "variables.x" },
      { name: "c", expression: "" },
      { name: "", expression: "true" },
    ];
    const causes = checkValidatingPolicy({
      metadata,
      spec: { matchConditions, validations: [{ expression: "true" }] },
    });
    assert.deepEqual(
      causes.map(({ field, reason }) => `${field} ${reason}`),
      [
        "spec.matchConditions[0].name FieldValueInvalid",
        "spec.matchConditions[1].expression FieldValueInvalid",
        "spec.matchConditions[2].expression FieldValueRequired",
        "spec.matchConditions[2].name FieldValueDuplicate",
        "spec.matchConditions[3].name FieldValueRequired",
      ],
    );
    const many = Array.from({ length: 65 }, (_, at) => ({ name: `n${at}`, expression: "true" }));
    assert.deepEqual(shown(checkWebhookConditions(many, "webhooks[0].matchConditions")), [
      "webhooks[0].matchConditions: Too many: 65: must have at most 64 items",
    ]);
  });

  it("VA8: conditions that an update leaves alone are not checked again", () => {
    const spec = {
      matchConditions: [{ name: "c", expression: "nowhere" }],
      validations: [{ expression: "true" }],
    };
    assert.equal(checkValidatingPolicy({ metadata, spec }).length, 1);
    assert.equal(checkValidatingPolicy({ metadata, spec }, { metadata, spec }).length, 0);
    const paramKind = { apiVersion: "v1", kind: "ConfigMap" };
    assert.equal(
      checkValidatingPolicy({ metadata, spec: { ...spec, paramKind } }, { metadata, spec }).length,
      1,
    );
  });

  it("VA7: keys of audit annotations are unique, and expressions short", () => {
    const causes = checkValidatingPolicy({
      metadata,
      spec: {
        auditAnnotations: [
          { key: "k", valueExpression: "'a'" },
          { key: "k", valueExpression: " " },
          { key: "long", valueExpression: `'${"x".repeat(5200)}'` },
        ],
      },
    });
    assert.deepEqual(shown(causes), [
      "spec.auditAnnotations[1].valueExpression: Required value: valueExpression is not specified",
      'spec.auditAnnotations[1].key: Duplicate value: "k"',
      "spec.auditAnnotations[2].valueExpression: Required value: must not exceed 5120 bytes in length",
    ]);
  });

  it("VA20: each mutation has the expression of its type, and no other", () => {
    const causes = checkMutatingPolicy({
      metadata,
      spec: {
        mutations: [
          apply("Object{}"),
          patch("[]"),
          { patchType: "JSONPatch", applyConfiguration: { expression: "Object{}" } },
        ],
      },
    });
    assert.deepEqual(shown(causes), [
      'spec.mutations[1].jsonPatch.expression: Invalid value: "[]": must evaluate to list(JSONPatch) but got list(dyn)',
      "spec.mutations[2].jsonPatch: Required value: must be specified when patchType is JSONPatch",
      'spec.mutations[2].applyConfiguration: Invalid value: "{applyConfiguration}": must not be specified when patchType is JSONPatch',
    ]);
    assert.deepEqual(shown(checkMutatingPolicy({ metadata, spec: {} })), [
      "spec.mutations: Required value: mutations must contain at least one item",
    ]);
  });

  it("VK20: patch types and jsonpatch.escapeKey exist in mutations only", () => {
    for (const expression of ["Object{} == Object{}", "jsonpatch.escapeKey('a') == 'a'"]) {
      const causes = checkValidatingPolicy({ metadata, spec: { validations: [{ expression }] } });
      assert.match(causes[0]?.message ?? "", /undeclared reference to/);
    }
  });
});
