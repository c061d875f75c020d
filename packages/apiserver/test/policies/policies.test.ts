import assert from "node:assert/strict";
import {
  MutatingAdmissionPolicy,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from "@typekube/api/admissionregistration/v1";
import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap, Pod } from "@typekube/api/core/v1";
import { definePolicy } from "@typekube/policy";
import { describe, it } from "vitest";
import { type ApiServer, startApiServer } from "../../src/index.js";

const few = definePolicy({
  name: "few",
  resources: [ConfigMap],
  validations: [{ expression: "object.data.size() < 2", message: "at most one entry" }],
  auditAnnotations: [{ key: "size", valueExpression: "string(object.data.size())" }],
  actions: ["Warn", "Audit"],
});

const blue = definePolicy({
  name: "blue",
  resources: [ConfigMap],
  mutations: [{ apply: "Object{metadata: Object.metadata{labels: {'team': 'blue'}}}" }],
});

function annotationsOf(api: ApiServer) {
  return api.requests.at(-1)?.auditAnnotations;
}

describe("admission policies in force", () => {
  it("VA5, VA7: warnings come with the response, annotations with the journal", async () => {
    await using api = await startApiServer();
    await using client = await api.client();
    await client.applyAll(few.objects);
    const warnings: string[] = [];
    await client
      .resource(ConfigMap, "default")
      .create(
        { metadata: { name: "a" }, data: { a: "1", b: "2" } },
        { onWarning: (text) => void warnings.push(text) },
      );
    assert.deepEqual(warnings, [
      "Validation failed for ValidatingAdmissionPolicy 'few' with binding 'few': at most one entry",
    ]);
    assert.deepEqual(annotationsOf(api), {
      "few/size": "2",
      "validation.policy.admission.k8s.io/validation_failure":
        '[{"message":"at most one entry","policy":"few","binding":"few","expressionIndex":0,"validationActions":["Warn","Audit"]}]',
    });
  });

  it("VA20: nobody owns what a policy sets, and an apply that is repeated changes nothing", async () => {
    await using api = await startApiServer();
    await using client = await api.client();
    await client.applyAll(blue.objects);
    const configMaps = client.resource(ConfigMap, "default");
    const config = { metadata: { name: "a" }, data: { a: "1" } };
    const first = await configMaps.apply(config, { fieldManager: "me" });
    assert.deepEqual(first.metadata?.labels, { team: "blue" });
    const again = await configMaps.apply(config, { fieldManager: "me" });
    assert.equal(again.metadata?.resourceVersion, first.metadata?.resourceVersion);
    assert.equal(JSON.stringify(again.metadata?.managedFields).includes("team"), false);
  });

  it("a change of a policy is in force at once, and so is its removal", async () => {
    await using api = await startApiServer();
    await using client = await api.client();
    const policies = client.resource(ValidatingAdmissionPolicy);
    const strict = definePolicy({
      name: "strict",
      resources: [ConfigMap],
      validations: [{ expression: "false", message: "first" }],
    });
    await client.applyAll(strict.objects);
    const messageOf = () =>
      client
        .resource(ConfigMap, "default")
        .create({ metadata: { name: "a" } }, { dryRun: "All" })
        .then(
          () => "created",
          (error: Error) => /denied request: (\w+)/.exec(error.message)?.[1],
        );
    assert.equal(await messageOf(), "first");
    await policies.modify("strict", (one) => ({
      ...one,
      spec: { ...one.spec, validations: [{ expression: "false", message: "second" }] },
    }));
    assert.equal(await messageOf(), "second");
    await client.resource(ValidatingAdmissionPolicyBinding).delete("strict");
    assert.equal(await messageOf(), "created");
  });

  it("policies decide about the writes of controllers, too", async () => {
    await using api = await startApiServer({ clock: "virtual", controllers: true });
    await using client = await api.client();
    const { objects } = definePolicy({
      name: "labelled",
      resources: [Pod],
      operations: ["CREATE"],
      mutations: [{ apply: "Object{metadata: Object.metadata{annotations: {'seen': 'yes'}}}" }],
    });
    await client.applyAll(objects);
    const labels = { app: "web" };
    await client.resource(Deployment, "default").create({
      metadata: { name: "web" },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: "main", image: "web:1" }] },
        },
      },
    });
    await api.settled();
    const { items } = await client.resource(Pod, "default").list();
    assert.deepEqual(
      items.map(({ metadata }) => metadata?.annotations),
      [{ seen: "yes" }],
    );
  });

  it("policies and bindings are never refused by policies", async () => {
    await using api = await startApiServer();
    await using client = await api.client();
    const { objects } = definePolicy({
      name: "nothing",
      resources: [ConfigMap, MutatingAdmissionPolicy, ValidatingAdmissionPolicy],
      operations: ["CREATE", "UPDATE", "DELETE"],
      validations: [{ expression: "false" }],
    });
    await client.applyAll([...objects, ...blue.objects]);
    await client.resource(ValidatingAdmissionPolicy).delete("nothing");
  });

  it("VA4: a policy whose parameters cannot be found allows what it ignores", async () => {
    await using api = await startApiServer();
    await using client = await api.client();
    const { objects } = definePolicy({
      name: "lost",
      resources: [ConfigMap],
      failurePolicy: "Ignore",
      params: { resource: ConfigMap, from: { name: "nowhere" } },
      validations: [{ expression: "false" }],
    });
    await client.applyAll(objects);
    await client.resource(ConfigMap, "default").create({ metadata: { name: "a" } });
  });
});
