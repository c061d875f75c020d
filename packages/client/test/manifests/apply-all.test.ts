import { manifestResults } from "@typekube/client";
import { isConflict, isNotFound, KubeError } from "@typekube/core";
import { failure } from "@typekube/test-support/failure";
import {
  type Sent,
  statusResponse,
  type TestResponse,
} from "@typekube/test-support/scripted-server";
import { describe, expect, it } from "vitest";
import { DiscoveryServer, type ServedKind } from "../helpers/discovery-server.js";

const kinds: ServedKind[] = [
  { group: "", version: "v1", kind: "ConfigMap", plural: "configmaps" },
  { group: "", version: "v1", kind: "Namespace", plural: "namespaces", cluster: true },
  { group: "x.io", version: "v1", kind: "Widget", plural: "widgets" },
];

const refuse =
  (pattern: RegExp) =>
  (sent: Sent): TestResponse =>
    sent.method === "PATCH" && pattern.test(sent.url)
      ? statusResponse(409, "Conflict", { message: "not yours" })
      : made(sent);

/** No object exists; every apply creates one. */
const made = (sent: Sent): TestResponse =>
  sent.method === "GET"
    ? statusResponse(404, "NotFound", { details: { name: sent.url.split("/").at(-1) } })
    : { status: 201, body: sent.text };

const success = '{"apiVersion":"v1","kind":"Status","status":"Success"}';

const patched = (server: DiscoveryServer) => server.sent.filter(({ method }) => method === "PATCH");

const configMap = (name: string, namespace?: string) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace },
});

describe("client.apply and client.applyAll", () => {
  it.each([undefined, null, { kind: "Pod" }, new Uint8Array(1)])(
    "rejects %o, which is neither text nor an array, with a hint",
    async (manifests) => {
      const server = new DiscoveryServer(kinds, "aggregated", made);
      const client = server.client();
      for (const call of [
        client.applyAll(manifests as never),
        client.deleteAll(manifests as never),
        client.diff(manifests as never),
      ]) {
        const error = await failure(call);
        expect(error.code).toBe("InvalidArgument");
        expect(error.hint).toContain("array");
      }
    },
  );

  it.each([Number.NaN, -1, "30s"])(
    "rejects a timeout of %s before anything is sent",
    async (time) => {
      const server = new DiscoveryServer(kinds, "aggregated", made);
      const client = server.client();
      const wait = { kindsTimeoutMs: time as number };
      for (const call of [
        client.applyAll([configMap("a")], wait),
        client.applyAndPrune([configMap("a")], { ...wait, applySet: { name: "s" } }),
        client.deleteAll([configMap("a")], { goneTimeoutMs: time as number }),
      ]) {
        expect((await failure(call)).code).toBe("InvalidArgument");
      }
      expect(server.sent).toEqual([]);
    },
  );

  it("duplicateKeys controls duplicate keys in the text, for every call that reads manifests", async () => {
    const twice = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, name: b}}";
    const last = { duplicateKeys: "last" } as const;
    const applySet = { name: "s" };
    const server = new DiscoveryServer(kinds, "aggregated", (sent) =>
      sent.method === "DELETE" ? { status: 200, body: success } : made(sent),
    );
    const client = server.client();
    const [applied] = await client.applyAll(twice, last);
    expect(applied).toMatchObject({ object: { metadata: { name: "b" } } });
    expect((await client.diff(twice, last)).objects).toMatchObject([{ name: "b" }]);
    expect(await client.deleteAll(twice, last)).toMatchObject([{ name: "b" }]);
    // This server cannot prune.
    const unpruned = await failure(client.applyAndPrune(twice, { ...last, applySet }));
    expect(manifestResults(unpruned)).toMatchObject([{ object: { metadata: { name: "b" } } }]);
    const before = server.sent.length;
    for (const call of [
      client.applyAll(twice),
      client.diff(twice, { duplicateKeys: "error" }),
      client.deleteAll(twice),
      client.applyAndPrune(twice, { applySet }),
    ]) {
      expect((await failure(call)).message).toContain("a mapping has a duplicate key");
    }
    const wrong = { duplicateKeys: "first" } as never;
    for (const call of [client.applyAll(twice, wrong), client.applyAll([configMap("a")], wrong)]) {
      const error = await failure(call);
      expect([error.code, error.message]).toEqual([
        "InvalidArgument",
        expect.stringContaining("duplicateKeys"),
      ]);
    }
    expect(server.sent).toHaveLength(before);
  });

  it("accepts the response to a delete that has no metadata", async () => {
    const server = new DiscoveryServer(kinds, "aggregated", () => ({ status: 200, body: "{}" }));
    const [deleted] = await server.client().deleteAll([configMap("a")]);
    expect(deleted).toMatchObject({ name: "a", outcome: "deleted" });
  });

  it("CHK14: sends each document to the resource of its kind", async () => {
    const server = new DiscoveryServer(kinds, "aggregated", made);
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
      patched(server).map(({ method, url, query }) => [method, url, query["fieldManager"]]),
    ).toEqual([
      ["PATCH", "/api/v1/namespaces/prod", "me"],
      ["PATCH", "/api/v1/namespaces/prod/configmaps/a", "me"],
      ["PATCH", "/apis/x.io/v1/namespaces/current/widgets/w", "me"],
    ]);
    expect(server.last.text).toContain("9007199254740993");
  });

  it("GRP30: with one failure among three, applies the others and names the failed manifest", async () => {
    const server = new DiscoveryServer(kinds, "aggregated", refuse(/configmaps\/b$/));
    const error = await failure(
      server.client().applyAll([configMap("a"), configMap("b"), configMap("c")]),
    );
    expect(isConflict(error)).toBe(true);
    expect(error.message).toContain('manifest 1 (ConfigMap "b"): not yours');
    expect((error.cause as AggregateError).errors.map(isConflict)).toEqual([true]);
    expect(patched(server)).toHaveLength(3);
    expect(manifestResults(error)).toMatchObject([
      { index: 0, outcome: "created" },
      { index: 1, outcome: "failed", apiVersion: "v1", kind: "ConfigMap", name: "b" },
      { index: 2, outcome: "created" },
    ]);
  });

  it("GRP32: all failures are in the errors of the cause", async () => {
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

  it.each([
    [
      { kind: "ConfigMap", metadata: { name: "a" } },
      'ConfigMap "a": the manifest has no apiVersion',
    ],
    [{ apiVersion: "v1", metadata: { name: "a" } }, 'object "a": the manifest has no kind'],
    [{ metadata: { name: "a" } }, 'object "a": the manifest has no apiVersion and no kind'],
  ])("the error names the missing field of %j", async (manifest, message) => {
    const server = new DiscoveryServer(kinds, "aggregated");
    expect((await failure(server.client().applyAll([manifest]))).rawMessage).toBe(message);
  });

  it("GRP30: returns failures among the results on request, and calls onResult with each result", async () => {
    const server = new DiscoveryServer(kinds, "aggregated", refuse(/configmaps\/b$/));
    const received: string[] = [];
    const results = await server.client().applyAll([configMap("a"), configMap("b", "prod")], {
      onFailure: "report",
      onResult: ({ index, outcome }) => received.push(`${index} ${outcome}`),
    });
    expect(results).toMatchObject([
      { index: 0, outcome: "created", object: { metadata: { name: "a" } } },
      { index: 1, outcome: "failed", kind: "ConfigMap", namespace: "prod", name: "b" },
    ]);
    expect(results[1]?.outcome === "failed" && isConflict(results[1].error)).toBe(true);
    expect(received).toEqual(["0 created", "1 failed"]);
  });

  it.each<["applyAll" | "deleteAll", string]>([
    ["applyAll", "created"],
    ["deleteAll", "deleted"],
  ])(
    "an error thrown by onResult ends %s and is not a failure of the manifest",
    async (verb, outcome) => {
      const server = new DiscoveryServer(kinds, "aggregated", (sent) =>
        sent.method === "DELETE" ? { body: success } : made(sent),
      );
      const client = server.client();
      const received: string[] = [];
      const full = new Error("the disk is full");
      const onResult = (result: { readonly outcome: string }) => {
        received.push(result.outcome);
        throw full;
      };
      const options = { onFailure: "report", onResult } as const;
      const manifests = [configMap("a"), configMap("b")];
      const call: Promise<unknown> =
        verb === "applyAll"
          ? client.applyAll(manifests, options)
          : client.deleteAll(manifests, options);
      await expect(call).rejects.toBe(full);
      expect(received).toEqual([outcome]);
      const writes = server.sent.filter(({ method }) => method === "PATCH" || method === "DELETE");
      expect(writes).toHaveLength(1);
    },
  );

  it("applies namespaces first and returns results in the order of the manifests", async () => {
    const server = new DiscoveryServer(kinds, "aggregated", made);
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "prod" } };
    const applied = await server.client().applyAll([configMap("a", "prod"), namespace]);
    expect(applied.map(({ object }) => object.kind)).toEqual(["ConfigMap", "Namespace"]);
    expect(patched(server).map(({ url }) => url)).toEqual([
      "/api/v1/namespaces/prod",
      "/api/v1/namespaces/prod/configmaps/a",
    ]);
  });

  it("applies an object that the user may not read", async () => {
    const server = new DiscoveryServer(kinds, "aggregated", (sent) =>
      sent.method === "GET" ? statusResponse(403, "Forbidden") : { body: sent.text },
    );
    const [applied] = await server.client().applyAll([configMap("a")]);
    expect(applied?.outcome).toBe("applied");
  });

  it("apply of one object fails with the error of that object", async () => {
    const server = new DiscoveryServer(kinds, "aggregated", refuse(/configmaps\/b$/));
    const client = server.client();
    const error = await failure(client.apply(configMap("b")));
    expect(error.message).toContain(
      '[Conflict] ConfigMap "b": not yours (PATCH /api/v1/namespaces/default/configmaps/b)',
    );
    expect(error.status?.reason).toBe("Conflict");
    expect((await client.apply(configMap("a"))).metadata.name).toBe("a");
  });

  it("rejects text that is not a manifest before anything is sent", async () => {
    const server = new DiscoveryServer(kinds, "aggregated", made);
    for (const text of ["a: [", "just text", "kind: ConfigMap"]) {
      expect((await failure(server.client().applyAll(text))).code).toBe("InvalidArgument");
    }
    expect(await server.client().applyAll("")).toEqual([]);
    expect(server.sent).toEqual([]);
  });

  it("an abort ends the series with the signal's reason", async () => {
    const controller = new AbortController();
    const server = new DiscoveryServer(kinds, "aggregated", (sent) => {
      if (sent.method === "PATCH") {
        controller.abort("enough");
      }
      return made(sent);
    });
    const call = server
      .client()
      .applyAll([configMap("a"), configMap("b")], { signal: controller.signal });
    await expect(call).rejects.toBe("enough");
    expect(server.log.filter((line) => line.startsWith("PATCH"))).toHaveLength(1);
  });

  it("uses the client's defaults for manifests too", async () => {
    const server = new DiscoveryServer(kinds, "aggregated", made);
    await server
      .client()
      .with({ dryRun: "All", fieldManager: "plan" })
      .applyAll([configMap("a")]);
    expect(server.last.query).toEqual({ dryRun: "All", fieldManager: "plan" });
  });
});
