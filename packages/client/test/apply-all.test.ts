import { isConflict, isNotFound, KubeError } from "@typekube/core";
import { describe, expect, it } from "vitest";
import { DiscoveryServer, type ServedKind } from "./helpers/discovery-server.js";
import { failure } from "./helpers/failure.js";
import { type Answer, type Sent, statusAnswer } from "./helpers/scripted-server.js";

const kinds: ServedKind[] = [
  { group: "", version: "v1", kind: "ConfigMap", plural: "configmaps" },
  { group: "", version: "v1", kind: "Namespace", plural: "namespaces", cluster: true },
  { group: "x.io", version: "v1", kind: "Widget", plural: "widgets" },
];

const refuse =
  (pattern: RegExp) =>
  (sent: Sent): Answer =>
    pattern.test(sent.url)
      ? statusAnswer(409, "Conflict", { message: "not yours" })
      : { body: sent.text };

const configMap = (name: string, namespace?: string) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace },
});

describe("client.apply and client.applyAll", () => {
  it("CHK14: each document goes where its kind lives", async () => {
    const server = new DiscoveryServer(kinds);
    const client = server.client({ namespace: "current" });
    const yaml = `
apiVersion: v1
kind: Namespace
metadata: {name: prod}
---
apiVersion: v1
kind: List
items:
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: prod}, data: {n: "0644"}}
  - {apiVersion: x.io/v1, kind: Widget, metadata: {name: w}, spec: {n: 9007199254740993}}
`;
    const applied = await client.applyAll(yaml, { fieldManager: "me" });
    expect(applied.map(({ index, object }) => [index, object.kind, object.metadata.name])).toEqual([
      [0, "Namespace", "prod"],
      [1, "ConfigMap", "a"],
      [2, "Widget", "w"],
    ]);
    expect(
      server.sent.slice(2).map(({ method, url, query }) => [method, url, query["fieldManager"]]),
    ).toEqual([
      ["PATCH", "/api/v1/namespaces/prod", "me"],
      ["PATCH", "/api/v1/namespaces/prod/configmaps/a", "me"],
      ["PATCH", "/apis/x.io/v1/namespaces/current/widgets/w", "me"],
    ]);
    expect(server.last.text).toContain("9007199254740993");
  });

  it("GRP30: one failure among three: the others are applied, and it says which one it was", async () => {
    const server = new DiscoveryServer(kinds, "aggregated", refuse(/configmaps\/b$/));
    const error = await failure(
      server.client().applyAll([configMap("a"), configMap("b"), configMap("c")]),
    );
    expect(isConflict(error)).toBe(true);
    expect(error.message).toContain('manifest 1 (ConfigMap "b"): not yours');
    expect((error.cause as AggregateError).errors.map(isConflict)).toEqual([true]);
    expect(server.log.slice(2)).toHaveLength(3);
  });

  it("GRP32: all failures can be reached", async () => {
    const server = new DiscoveryServer(kinds, "aggregated", refuse(/configmaps\/b$/));
    const unknown = { apiVersion: "y.io/v1", kind: "Nothing", metadata: { name: "n" } };
    const nameless = { apiVersion: "v1", kind: "ConfigMap" };
    const error = await failure(
      server.client().applyAll([configMap("a"), configMap("b"), unknown, nameless]),
    );
    expect(error.message).toContain("3 of 4 manifests failed");
    const { errors } = error.cause as AggregateError;
    expect(errors.every((one) => one instanceof KubeError)).toBe(true);
    expect(isConflict(errors[0])).toBe(true);
    expect(isNotFound(errors[1])).toBe(true);
    expect(errors.map((one: KubeError) => one.rawMessage.split(":")[0])).toEqual([
      'manifest 1 (ConfigMap "b")',
      'manifest 2 (Nothing "n")',
      'manifest 3 (ConfigMap "")',
    ]);
  });

  it("apply of one object fails as itself", async () => {
    const server = new DiscoveryServer(kinds, "aggregated", refuse(/configmaps\/b$/));
    const client = server.client();
    const error = await failure(client.apply(configMap("b")));
    expect(error.message).toContain(
      '[Conflict] ConfigMap "b": not yours (PATCH /api/v1/namespaces/default/configmaps/b)',
    );
    expect(error.status?.reason).toBe("Conflict");
    expect((await client.apply(configMap("a"))).metadata.name).toBe("a");
  });

  it("text that is no manifest fails before anything is sent", async () => {
    const server = new DiscoveryServer(kinds);
    for (const text of ["a: [", "just text", "kind: ConfigMap"]) {
      expect((await failure(server.client().applyAll(text))).code).toBe("InvalidArgument");
    }
    expect(await server.client().applyAll("")).toEqual([]);
    expect(server.sent).toEqual([]);
  });

  it("an abort ends the series with its reason", async () => {
    const controller = new AbortController();
    const server = new DiscoveryServer(kinds, "aggregated", (sent) => {
      controller.abort("enough");
      return { body: sent.text };
    });
    const call = server
      .client()
      .applyAll([configMap("a"), configMap("b")], { signal: controller.signal });
    await expect(call).rejects.toBe("enough");
    expect(server.log.filter((line) => line.startsWith("PATCH"))).toHaveLength(1);
  });

  it("defaults of the client hold for manifests too", async () => {
    const server = new DiscoveryServer(kinds);
    await server
      .client()
      .with({ dryRun: "All", fieldManager: "plan" })
      .applyAll([configMap("a")]);
    expect(server.last.query).toEqual({ dryRun: "All", fieldManager: "plan" });
  });
});
