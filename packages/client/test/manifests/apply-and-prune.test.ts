import { ConfigMap } from "@typekube/api/core/v1";
import { startApiServer } from "@typekube/apiserver";
import { manifestResults, mergePatch } from "@typekube/client";
import type { HttpSend } from "@typekube/core/internal";
import { failure } from "@typekube/test-support/failure";
import { statusResponse } from "@typekube/test-support/scripted-server";
import { connect } from "typekube";
import { describe, expect, it } from "vitest";
import { DiscoveryServer } from "../helpers/discovery-server.js";

const configMap = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
const options = { fieldManager: "me", applySet: { name: "set" } };

describe("applyAndPrune", () => {
  it("GRP32: a failed prune reports what was applied, and the next run prunes the rest", async () => {
    await using api = await startApiServer({ seed: 1 });
    await using client = await connect({ transport: api });
    await client.applyAndPrune([configMap("a"), configMap("b"), configMap("c")], options);
    api.fault({ verb: "delete", name: "b", status: 403, reason: "Forbidden" });
    const error = await failure(client.applyAndPrune([configMap("a")], options));
    expect(error.code).toBe("Forbidden");
    expect(error.message).toContain(
      'all manifests were applied, but pruning failed: pruning ConfigMap "b"',
    );
    expect(manifestResults(error)).toMatchObject([{ index: 0, outcome: "unchanged" }]);
    const { pruned } = await client.applyAndPrune([configMap("a")], options);
    expect(pruned.map(({ name }) => name)).toEqual(["b"]);
  });

  it("an abort while pruning fails with the signal's reason, and the next run continues", async () => {
    await using api = await startApiServer({ seed: 1 });
    await using client = await connect({ transport: api });
    await client.applyAndPrune([configMap("a"), configMap("b")], options);
    const caller = new AbortController();
    const reason = new Error("enough");
    const send: HttpSend = (request) => {
      if (request.method === "DELETE") {
        caller.abort(reason);
      }
      return api.send(request);
    };
    await using other = await connect({ transport: { send, server: api.server } });
    const { signal } = caller;
    await expect(other.applyAndPrune([configMap("a")], { ...options, signal })).rejects.toBe(
      reason,
    );
    const { pruned } = await client.applyAndPrune([configMap("a")], options);
    expect(pruned.map(({ name }) => name)).toEqual(["b"]);
  });

  it("a run that fails before pruning leaves a complete inventory", async () => {
    await using api = await startApiServer({ seed: 1 });
    await using client = await connect({ transport: api });
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "s" } };
    api.fault({ resource: "configmaps", verb: "list", status: 403, reason: "Forbidden" });
    await failure(client.applyAndPrune([secret, configMap("a")], options));
    const { pruned } = await client.applyAndPrune([configMap("a")], options);
    expect(pruned.map(({ kind, name }) => `${kind} ${name}`)).toEqual(["Secret s"]);
  });

  it("after its inventory is lost, a kind that left the manifests is pruned once it is listed again", async () => {
    await using api = await startApiServer({ seed: 1 });
    await using client = await connect({ transport: api });
    const maps = client.resource(ConfigMap, "default");
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "s" } };
    await client.applyAndPrune([secret, configMap("a"), configMap("b")], options);
    await maps.delete("set");
    const { pruned } = await client.applyAndPrune([configMap("a")], options);
    expect(pruned.map(({ name }) => name)).toEqual(["b"]);
    const annotations = { "applyset.kubernetes.io/contains-group-kinds": "ConfigMap,Secret" };
    await maps.patch("set", mergePatch({ metadata: { annotations } }));
    const again = await client.applyAndPrune([configMap("a")], options);
    expect(again.pruned.map(({ kind, name }) => `${kind} ${name}`)).toEqual(["Secret s"]);
  });

  it("keeps a kind whose server does not respond in the inventory", async () => {
    const widgets = {
      group: "x.io",
      version: "v1",
      apiVersion: "x.io/v1",
      kind: "Widget",
      listKind: "WidgetList",
      plural: "widgets",
      singular: "widget",
      shortNames: [],
      categories: [],
      scope: "Namespaced",
      verbs: ["delete", "get", "list", "patch"],
      subresources: {},
      protobuf: false,
    } as const;
    await using api = await startApiServer({ seed: 1, resources: [widgets] });
    await using client = await connect({ transport: api });
    const widget = { apiVersion: "x.io/v1", kind: "Widget", metadata: { name: "w" } };
    await client.applyAndPrune([configMap("a"), widget], options);
    const { resources, ...served } = await client.discovery.served();
    const without = resources.filter(({ kind }) => kind !== "Widget");
    client.discovery.served = async () => ({ ...served, resources: without });
    expect((await client.applyAndPrune([configMap("a")], options)).pruned).toEqual([]);
    client.discovery.served = async () => ({ ...served, resources });
    const { pruned } = await client.applyAndPrune([configMap("a")], options);
    expect(pruned.map(({ name }) => name)).toEqual(["w"]);
  });
});

it("a definition fails when its kind is not served in time", async () => {
  const definitions = {
    group: "apiextensions.k8s.io",
    version: "v1",
    kind: "CustomResourceDefinition",
    plural: "customresourcedefinitions",
    cluster: true,
  };
  let body = "";
  const server = new DiscoveryServer([definitions], "aggregated", (sent) => {
    body = sent.text || body;
    return body === "" ? statusResponse(404, "NotFound", { details: { name: "w" } }) : { body };
  });
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.x.io" },
    spec: {
      group: "x.io",
      names: { kind: "Widget", plural: "widgets" },
      versions: [{ name: "v1", served: true }],
    },
  };
  const [applied] = await server
    .client()
    .applyAll([definition], { kindsTimeoutMs: 1, onFailure: "report" });
  expect(applied).toMatchObject({ index: 0, outcome: "failed" });
  const error = applied?.outcome === "failed" ? applied.error : undefined;
  expect(error?.code).toBe("DeadlineExceeded");
  expect(error?.message).toContain("is not served after 1 ms");
  const [without] = await server.client().applyAll([definition], { kindsTimeoutMs: 0 });
  expect(without?.object.metadata.name).toBe("widgets.x.io");
});
