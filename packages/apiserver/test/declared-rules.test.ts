import assert from "node:assert/strict";
import { loadSchema } from "@typekube/api/schema";
import { type ApiServer, startApiServer } from "@typekube/apiserver";
import { call, type Json } from "@typekube/test-support/api-calls";
import { afterEach, beforeEach, describe, test } from "vitest";
import type { ApiObject } from "../src/objects/api-object.js";
import { planOf } from "../src/phases/validate/declared/type-plan.js";
import { validateDeclaredRules } from "../src/phases/validate/declared/validate-declared.js";
import { isRuleGate, readFeatureGates } from "../src/resources/feature-gates.js";
import { typeNode } from "../src/schema/schema-node.js";

const attachments = "/apis/storage.k8s.io/v1/volumeattachments";
const claims = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";

let api: ApiServer;

beforeEach(async () => {
  api = await startApiServer();
});
afterEach(() => api.close());

function causes({ status, body }: { readonly status: number; readonly body: Json }): string[] {
  assert.equal(status, 422);
  return body.details.causes.map(({ field, message }: Json) => `${field}: ${message}`);
}

describe("declarative validation", () => {
  test("VAL11: rejects another value for an immutable field and accepts the same value", async () => {
    const spec = {
      attacher: "a.example.com",
      nodeName: "n",
      source: { persistentVolumeName: "p" },
    };
    const made = await call(api, "POST", attachments, { metadata: { name: "a" }, spec });
    assert.equal(made.status, 201);
    const same = await call(api, "PUT", `${attachments}/a`, made.body);
    assert.equal(same.status, 200);
    const other = { ...made.body, spec: { ...spec, nodeName: "m" } };
    assert.deepEqual(causes(await call(api, "PUT", `${attachments}/a`, other)), [
      "spec: Invalid value: null: field is immutable",
    ]);
  });

  test("VAL25: does not validate again what an update leaves unchanged", async () => {
    const table = await loadSchema("resource.k8s.io/v1");
    assert.ok(table);
    const { gates } = readFeatureGates("1.37");
    const slice = (...names: string[]) => ({
      apiVersion: "resource.k8s.io/v1",
      kind: "ResourceSlice",
      metadata: { name: "a" },
      spec: { sharedCounters: names.map((name) => ({ name, counters: { [name]: {} } })) },
    });
    const look = (now: ApiObject, before?: ApiObject) =>
      validateDeclaredRules(typeNode(table, "ResourceSlice"), now, before, gates).map(
        ({ field }) => field,
      );
    const first = ["spec.sharedCounters[0].name", "spec.sharedCounters[0].counters"];
    const second = ["spec.sharedCounters[1].name", "spec.sharedCounters[1].counters"];
    assert.deepEqual(look(slice("A_b")), first);
    assert.deepEqual(look(slice("A_b"), slice("A_b")), []);
    assert.deepEqual(look(slice("A_b", "C_d"), slice("A_b")), second);
  });

  test("a type without rules has no plan, and a Pod's plan contains only the paths to rules", async () => {
    const table = await loadSchema("v1");
    assert.ok(table);
    assert.equal(planOf(typeNode(table, "ConfigMap")), undefined);
    const fields = planOf(typeNode(table, "Pod"))?.fields ?? [];
    const spec = fields.find(({ field }) => field.name === "spec")?.inner?.fields ?? [];
    assert.deepEqual(
      spec.map(({ field }) => field.name),
      ["evictionResponders"],
    );
  });

  test("the server handles every gate that a rule names", async () => {
    const named = new Set<string>();
    for (const apiVersion of ["v1", "batch/v1", "autoscaling/v2", "resource.k8s.io/v1"]) {
      const text = JSON.stringify((await loadSchema(apiVersion))?.types);
      for (const [, gate = ""] of text.matchAll(/if(?:En|Dis)abled\(\W*(\w+)/g)) {
        named.add(gate);
      }
    }
    assert.ok(named.size >= 4);
    assert.deepEqual(
      [...named].filter((gate) => !isRuleGate(gate)),
      [],
    );
  });

  test("VAL26: reports an error once, whichever validation finds it", async () => {
    const refused = await call(api, "POST", "/apis/node.k8s.io/v1/runtimeclasses", {
      metadata: { name: "a" },
    });
    assert.deepEqual(causes(refused), ["handler: Required value"]);
  });

  test("VAL18: checks the enum of each list item", async () => {
    const refused = await call(api, "POST", claims, {
      metadata: { name: "a" },
      spec: {
        devices: {
          requests: [{ name: "r", exactly: { deviceClassName: "c", allocationMode: "X" } }],
        },
      },
    });
    assert.deepEqual(causes(refused), [
      'spec.devices.requests[0].exactly.allocationMode: Unsupported value: "X": supported values: "All", "ExactCount"',
    ]);
  });

  test("VAL3: keeps the field of a feature while its gate is on", async () => {
    await using on = await startApiServer({ featureGates: { WorkloadWithJob: true } });
    const job = {
      metadata: { name: "a" },
      spec: {
        scheduling: {},
        template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } },
      },
    };
    const path = "/apis/batch/v1/namespaces/default/jobs";
    assert.equal("scheduling" in (await call(api, "POST", path, job)).body.spec, false);
    assert.equal("scheduling" in (await call(on, "POST", path, job)).body.spec, true);
  });
});
