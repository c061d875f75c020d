import {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from "@typekube/api/admissionregistration/v1";
import { type ApiServer, startApiServer } from "@typekube/apiserver";
import { evaluatePolicy, type PolicyOutcome } from "@typekube/apiserver/check";
import { KubeError } from "@typekube/core";
import { type Client, defineResource, type KubeObject } from "typekube";
import { CustomResourceDefinition } from "typekube/api/apiextensions/v1";
import { Deployment } from "typekube/api/apps/v1";
import { ConfigMap, Namespace } from "typekube/api/core/v1";
import { expect, test } from "vitest";

interface Widget extends KubeObject {
  spec: { size: number };
}
const Widget = defineResource<Widget>({ group: "example.com", version: "v1", kind: "Widget" });

/** Starts a server with Deployments of several sizes in two namespaces, and two widgets. */
async function cluster(): Promise<{ api: ApiServer; client: Client }> {
  const api = await startApiServer();
  const client = await api.client();
  await client.resource(Namespace).create({ metadata: { name: "prod", labels: { tier: "gold" } } });
  for (const [namespace, name, replicas] of [
    ["default", "a", 9],
    ["prod", "b", 2],
    ["prod", "c", 7],
  ] as const) {
    const labels = { app: name };
    await client.resource(Deployment, namespace).create({
      metadata: { name },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } },
      },
    });
  }
  await client.resource(CustomResourceDefinition).create({
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { kind: "Widget", plural: "widgets" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                spec: { type: "object", properties: { size: { type: "integer" } } },
              },
            },
          },
        },
      ],
    },
  });
  for (const size of [1, 5]) {
    const widget = { metadata: { name: `w${size}` }, spec: { size } };
    await client.resource(Widget, "default").create(widget);
  }
  return { api, client };
}

function policyOf(
  spec: Partial<ValidatingAdmissionPolicy["spec"]> & { expression: string },
  group = "apps",
  resource = "deployments",
): ValidatingAdmissionPolicy {
  const { expression, ...more } = spec;
  return {
    metadata: { name: "small" },
    spec: {
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: [group],
            apiVersions: ["*"],
            operations: ["CREATE", "UPDATE"],
            resources: [resource],
          },
        ],
      },
      validations: [{ expression, message: "too large" }],
      ...more,
    },
  };
}

async function outcomes(from: AsyncIterable<PolicyOutcome>): Promise<string[]> {
  const found: string[] = [];
  for await (const { object, denial, warnings } of from) {
    found.push([object.name, denial?.message ?? "allowed", ...warnings].join(" | "));
  }
  return found;
}

test("VA14: tells which objects of a cluster a policy would refuse, with the text of the server, by reads only", async () => {
  const { api, client } = await cluster();
  const policy = policyOf({ expression: "object.spec.replicas <= 5" });
  const before = api.requests.length;
  const evaluation = evaluatePolicy(client, policy);
  const text = "ValidatingAdmissionPolicy 'small' with binding 'small' denied request: too large";
  expect(await outcomes(evaluation)).toEqual([`a | ${text}`, "b | allowed", `c | ${text}`]);
  expect([evaluation.matched, evaluation.denied, evaluation.warned]).toEqual([3, 2, 0]);
  const verbs = new Set(api.requests.slice(before).map(({ verb }) => verb));
  expect([...verbs].filter((verb) => verb !== "list" && verb !== "get")).toEqual([]);

  // The server says the same once the policy is enforced.
  await client.resource(ValidatingAdmissionPolicy).create(policy);
  await client.resource(ValidatingAdmissionPolicyBinding).create({
    metadata: { name: "small" },
    spec: { policyName: "small", validationActions: ["Deny"] },
  });
  const deployments = client.resource(Deployment, "default");
  const error = await deployments.update(await deployments.get("a")).catch((caught) => caught);
  expect((error as KubeError).rawMessage).toContain(text);
});

test("VA14: selectors, params, conditions and actions of the binding apply", async () => {
  const { client } = await cluster();
  await client
    .resource(ConfigMap, "prod")
    .create({ metadata: { name: "limits" }, data: { most: "1" } });
  const policy = policyOf({
    expression: "object.spec.replicas <= int(params.data.most)",
    paramKind: { apiVersion: "v1", kind: "ConfigMap" },
    matchConditions: [{ name: "not-c", expression: "object.metadata.name != 'c'" }],
  });
  const binding: ValidatingAdmissionPolicyBinding = {
    metadata: { name: "gold" },
    spec: {
      policyName: "small",
      validationActions: ["Warn"],
      paramRef: { name: "limits", parameterNotFoundAction: "Deny" },
      matchResources: { namespaceSelector: { matchLabels: { tier: "gold" } } },
    },
  };
  const evaluation = evaluatePolicy(client, policy, { binding });
  expect(await outcomes(evaluation)).toEqual([
    "b | allowed | Validation failed for ValidatingAdmissionPolicy 'small' with binding 'gold': too large",
    "c | allowed",
  ]);
  expect([evaluation.matched, evaluation.denied, evaluation.warned]).toEqual([2, 0, 1]);
});

test("VA14: custom resources are read from the cluster's definitions; an update has an old object", async () => {
  const { client } = await cluster();
  const large = policyOf({ expression: "object.spec.size < 3" }, "example.com", "widgets");
  expect(await outcomes(evaluatePolicy(client, large))).toEqual([
    "w1 | allowed",
    "w5 | ValidatingAdmissionPolicy 'small' with binding 'small' denied request: too large",
  ]);
  const same = policyOf({ expression: "oldObject == object" }, "example.com", "widgets");
  expect(await outcomes(evaluatePolicy(client, same))).toEqual(["w1 | allowed", "w5 | allowed"]);
});

test("VA14: a policy that a server rejects, or whose params are unknown, is an error", async () => {
  const { client } = await cluster();
  const wrong = policyOf({ expression: "object.spec.replicas <" });
  const rejected = await outcomes(evaluatePolicy(client, wrong)).catch((error) => error);
  expect(rejected).toBeInstanceOf(KubeError);
  expect((rejected as KubeError).code).toBe("Invalid");
  const params = policyOf({
    expression: "true",
    paramKind: { apiVersion: "v1", kind: "ConfigMap" },
  });
  expect(() => evaluatePolicy(client, params)).toThrow(
    "[InvalidArgument] the policy small has params: pass the binding that says which: evaluatePolicy(client, policy, { binding })",
  );
});
