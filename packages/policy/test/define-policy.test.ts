import assert from "node:assert/strict";
import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap, Namespace } from "@typekube/api/core/v1";
import { describe, expectTypeOf, it } from "vitest";
import { definePolicy, PolicyProblem, subresourceOf } from "../src/index.js";

describe("definePolicy", () => {
  it("builds a validating policy and its binding from descriptors", () => {
    const { policy, binding, objects } = definePolicy({
      name: "few-replicas",
      resources: [Deployment, subresourceOf(Deployment, "scale")],
      namespaces: { matchLabels: { env: "test" } },
      params: { resource: ConfigMap, from: { name: "limits", namespace: "shop" } },
      variables: { most: "int(params.data.most)" },
      validations: [
        {
          expression: "object.spec.replicas <= variables.most",
          messageExpression: "'at most ' + string(variables.most)",
        },
      ],
      actions: ["Deny", "Audit"],
    });
    assert.deepEqual(policy.spec?.matchConstraints, {
      resourceRules: [
        {
          apiGroups: ["apps"],
          apiVersions: ["v1"],
          operations: ["CREATE", "UPDATE"],
          resources: ["deployments"],
        },
        {
          apiGroups: ["apps"],
          apiVersions: ["v1"],
          operations: ["CREATE", "UPDATE"],
          resources: ["deployments/scale"],
        },
      ],
      namespaceSelector: { matchLabels: { env: "test" } },
    });
    assert.deepEqual(policy.spec?.paramKind, { apiVersion: "v1", kind: "ConfigMap" });
    assert.deepEqual(policy.spec?.variables, [
      { name: "most", expression: "int(params.data.most)" },
    ]);
    assert.deepEqual(binding.spec, {
      policyName: "few-replicas",
      validationActions: ["Deny", "Audit"],
      paramRef: { name: "limits", namespace: "shop", parameterNotFoundAction: "Deny" },
    });
    assert.deepEqual(objects, [policy, binding]);
  });

  it("builds a mutating policy and its binding", () => {
    const { policy, binding } = definePolicy({
      name: "labels",
      resources: [ConfigMap],
      mutations: [
        { apply: "Object{metadata: Object.metadata{labels: {'team': 'blue'}}}" },
        { patch: "[JSONPatch{op: 'add', path: '/data/x', value: 'y'}]" },
      ],
      reinvocation: "IfNeeded",
    });
    assert.equal(policy.kind, "MutatingAdmissionPolicy");
    assert.deepEqual(
      policy.spec?.mutations?.map(({ patchType }) => patchType),
      ["ApplyConfiguration", "JSONPatch"],
    );
    assert.equal(policy.spec?.reinvocationPolicy, "IfNeeded");
    assert.deepEqual(binding.spec, { policyName: "labels" });
  });

  it("throws for expressions that a server would refuse, with all of them", () => {
    const define = () =>
      definePolicy({
        name: "wrong",
        resources: [ConfigMap],
        validations: [{ expression: "object.data.size()" }, { expression: "params.x == 1" }],
      });
    assert.throws(define, (error: unknown) => {
      assert.ok(error instanceof PolicyProblem);
      assert.match(error.message, /^the policy "wrong" cannot be written:\nspec\.validations\[0\]/);
      assert.deepEqual(
        error.causes.map(({ field }) => field),
        ["spec.validations[0].expression", "spec.validations[1].expression"],
      );
      return true;
    });
  });

  it("takes the language of older servers", () => {
    const define = (version: string) =>
      definePolicy({
        name: "lists",
        resources: [ConfigMap],
        version,
        validations: [{ expression: "['b', 'a'].sort() == ['a', 'b']" }],
      });
    define("1.36");
    assert.throws(() => define("1.33"), PolicyProblem);
  });

  it("checks subresources and parameters against descriptors when it compiles", () => {
    expectTypeOf(subresourceOf<typeof Deployment>)
      .parameter(1)
      .toEqualTypeOf<"scale" | "status">();
    const from: Parameters<typeof definePolicy<typeof Namespace>>[0]["params"] = {
      resource: Namespace,
      // @ts-expect-error: a Namespace has no namespace.
      from: { name: "a", namespace: "b" },
    };
    assert.ok(from);
  });
});
