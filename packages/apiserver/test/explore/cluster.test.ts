import { defineController } from "@typekube/controller";
import { mergePatch } from "typekube";
import { ConfigMap, Secret } from "typekube/api/core/v1";
import { describe, expect, test } from "vitest";
import { explore, type Scenario } from "../../src/testing/index.js";

const labels = { app: "shop" };
const shop = (data: Record<string, string> = {}) => ({ metadata: { name: "tea", labels }, data });

const copies = () =>
  defineController(
    { kind: ConfigMap, labelSelector: "app=shop" },
    {
      name: "copies",
      owns: [Secret],
      async reconcile({ metadata, data }, run) {
        await run.apply(Secret, { metadata: { name: metadata.name }, stringData: data ?? {} });
      },
    },
  );

const scenario: Scenario = {
  operator: copies,
  steps: {
    "create a shop": (client) => client.resource(ConfigMap, "default").create(shop({ a: "1" })),
    "change it": (client) =>
      client.resource(ConfigMap, "default").patch("tea", mergePatch({ data: { a: "2" } })),
  },
};

describe("an elected leader", () => {
  test("passes, whichever request its leadership is lost at", async () => {
    const elected: Scenario = {
      ...scenario,
      manager: { leaderElection: { name: "copies", namespace: "default" } },
    };
    const found = await explore(elected, { runs: 0, faults: ["pause"] });
    expect(found.text()).toMatch(/^0 findings/);
    const writes = found.coverage.calls.filter(({ call }) => call.includes("secrets"));
    expect(writes.map(({ tried }) => tried.includes("leadership lost"))).not.toContain(false);
    expect(writes.length).toBeGreaterThan(2);
  });
});

describe("parts of the cluster", () => {
  test("a policy of the cluster refuses what the operator writes", async () => {
    const policy = {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicy",
      metadata: { name: "labels" },
      spec: {
        failurePolicy: "Fail",
        matchConstraints: {
          resourceRules: [
            {
              apiGroups: [""],
              apiVersions: ["v1"],
              operations: ["CREATE", "UPDATE"],
              resources: ["secrets"],
            },
          ],
        },
        validations: [{ expression: "size(object.metadata.name) > 3", message: "too short" }],
      },
    };
    const binding = {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicyBinding",
      metadata: { name: "labels" },
      spec: { policyName: "labels", validationActions: ["Deny"] },
    };
    const found = await explore(
      {
        ...scenario,
        load: [policy, binding],
        converged: (world) => world.get(Secret, "tea") !== undefined || "there is no Secret",
        withinMs: 30_000,
      },
      { runs: 0, faults: [] },
    );
    expect(found.findings).toMatchObject([
      {
        kind: "did not converge",
        message: expect.stringMatching(/^there is no Secret, after the run without faults/),
      },
    ]);
  });

  test("a Secret's values are in no report", async () => {
    const careless: Scenario = {
      ...scenario,
      operator: async ({ client }) => {
        const secrets = client.resource(Secret, "default");
        for await (const event of client.resource(ConfigMap, "default").watch()) {
          if (event.type === "ADDED" && event.object.metadata.name === "tea") {
            await secrets.create({ metadata: { name: "tea" }, stringData: { a: "hunter2" } });
          }
        }
      },
    };
    const found = await explore(careless, { runs: 0, faults: ["crash", "lose"] });
    expect(found.findings).toMatchObject([
      {
        kind: "did not converge",
        message: expect.stringMatching(/^the operator ends again and again: \[AlreadyExists\]/),
      },
    ]);
    const text = found.text() + found.html() + JSON.stringify(found.findings);
    expect(text).not.toContain("hunter2");
    expect(text).not.toContain(Buffer.from("hunter2").toString("base64"));
  });

  test("invariants see each write, and rejections that nobody handles are found", async () => {
    const found = await explore(
      {
        ...scenario,
        invariants: {
          "one Secret at most": (world) => world.list(Secret).length < 2,
        },
        operator: async ({ client }) => {
          const secrets = client.resource(Secret, "default");
          for await (const event of client.resource(ConfigMap, "default").watch()) {
            if (event.type !== "BOOKMARK" && event.object.metadata.name === "tea") {
              // The promise is not awaited.
              void secrets.apply({ metadata: { name: `tea-${event.object.data?.["a"]}` } });
            }
          }
        },
      },
      { runs: 0, faults: ["refuse"] },
    );
    const texts = found.findings.map(({ kind, message }) => `${kind}: ${message}`);
    expect(texts[0]).toBe("invariant violated: one Secret at most: it does not hold");
    expect(found.findings[0]?.faults).toEqual([]);
    expect(texts).toContainEqual(expect.stringMatching(/^unhandled rejection: \[Conflict\]/));
    expect(texts).toContainEqual(expect.stringMatching(/^unhandled rejection: \[InternalError\]/));
  });
});
