import assert from "node:assert/strict";
import { ValidatingAdmissionPolicy } from "@typekube/api/admissionregistration/v1";
import { CustomResourceDefinition } from "@typekube/api/apiextensions/v1";
import { Deployment } from "@typekube/api/apps/v1";
import { definePolicy, subresourceOf } from "@typekube/policy";
import { describe, it } from "vitest";
import { startApiServer } from "../../src/index.js";

describe("policyStatus", () => {
  it("VA11: warns about fields that the kinds of a policy do not have, for each kind", async () => {
    await using api = await startApiServer({
      clock: "virtual",
      controllers: { policyStatus: true },
    });
    await using client = await api.client();
    const policies = client.resource(ValidatingAdmissionPolicy);
    await policies.create({
      metadata: { name: "p" },
      spec: {
        matchConstraints: {
          resourceRules: [
            {
              apiGroups: ["apps"],
              apiVersions: ["v1"],
              operations: ["CREATE"],
              resources: ["deployments", "replicasets", "deployments/scale"],
            },
          ],
        },
        variables: [{ name: "spec", expression: "object.spec" }],
        validations: [
          { expression: "object.spec.replicas > 1" },
          { expression: "object.spec.strategy.type == 'Recreate'" },
          {
            expression: "object.metadata.namespace == oldObject.metadata.__namespace__",
            messageExpression: "string(object.nowhere)",
          },
          { expression: "object.spec.template.spec.containers.all(c, c.image == 1)" },
        ],
      },
    });
    await api.settled();
    const { status } = await policies.get("p");
    assert.equal(status?.observedGeneration, 1);
    const warnings = status?.typeChecking?.expressionWarnings ?? [];
    assert.deepEqual(
      warnings.map(({ fieldRef }) => fieldRef),
      [
        "spec.validations[1].expression",
        "spec.validations[2].messageExpression",
        "spec.validations[3].expression",
      ],
    );
    assert.equal(
      warnings[0]?.warning,
      "apps/v1, Kind=ReplicaSet: ERROR: <input>:1:12: undefined field 'strategy'\n | object.spec.strategy.type == 'Recreate'\n | ...........^\n",
    );
    assert.match(
      warnings[1]?.warning ?? "",
      /^apps\/v1, Kind=Deployment: .*\n\napps\/v1, Kind=ReplicaSet: /s,
    );
    assert.match(
      warnings[2]?.warning ?? "",
      /no matching overload for '_==_' applied to '\(string, int\)'/,
    );
  });

  it("VA11: a changed policy is checked again; unknown kinds and wildcards give no warnings", async () => {
    await using api = await startApiServer({
      clock: "virtual",
      controllers: { policyStatus: true },
    });
    await using client = await api.client();
    const policies = client.resource(ValidatingAdmissionPolicy);
    const { policy } = definePolicy({
      name: "p",
      resources: [Deployment, subresourceOf(Deployment, "scale")],
      validations: [{ expression: "object.nowhere == 1" }],
    });
    await policies.create(policy);
    await api.settled();
    const warned = await policies.get("p");
    assert.equal(warned.status?.typeChecking?.expressionWarnings?.length, 1);
    const rule = { apiVersions: ["v1"], operations: ["CREATE" as const] };
    await policies.modify("p", (one) => ({
      ...one,
      spec: {
        ...one.spec,
        matchConstraints: {
          resourceRules: [
            { ...rule, apiGroups: ["*"], resources: ["deployments"] },
            { ...rule, apiGroups: ["apps"], resources: ["nowheres", "*/scale"] },
          ],
        },
      },
    }));
    await api.settled();
    const { status } = await policies.get("p");
    assert.deepEqual(status, { observedGeneration: 2, typeChecking: {} });
  });

  it("VA11: custom resources and parameters have the types of their definitions", async () => {
    await using api = await startApiServer({
      clock: "virtual",
      controllers: { policyStatus: true },
    });
    await using client = await api.client();
    const properties = { spec: { type: "object", properties: { size: { type: "integer" } } } };
    await client.resource(CustomResourceDefinition).create({
      metadata: { name: "widgets.example.com" },
      spec: {
        group: "example.com",
        names: { kind: "Widget", plural: "widgets" },
        scope: "Namespaced",
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: "object", properties } },
          },
        ],
      },
    });
    await api.settled();
    const policies = client.resource(ValidatingAdmissionPolicy);
    await policies.create({
      metadata: { name: "p" },
      spec: {
        paramKind: { apiVersion: "v1", kind: "ConfigMap" },
        matchConstraints: {
          resourceRules: [
            {
              apiGroups: ["example.com"],
              apiVersions: ["v1"],
              operations: ["CREATE"],
              resources: ["widgets"],
            },
          ],
        },
        validations: [
          { expression: "object.spec.size > 1 && params.data.a == 'b'" },
          { expression: "object.spec.size == 'a'" },
          { expression: "params.nowhere == 1" },
        ],
      },
    });
    await api.settled();
    const { status } = await policies.get("p");
    assert.deepEqual(
      status?.typeChecking?.expressionWarnings?.map(({ warning }) => warning.split("\n")[0]),
      [
        "example.com/v1, Kind=Widget: ERROR: <input>:1:18: found no matching overload for '_==_' applied to '(int, string)'",
        "example.com/v1, Kind=Widget: ERROR: <input>:1:7: undefined field 'nowhere'",
      ],
    );
  });
});
