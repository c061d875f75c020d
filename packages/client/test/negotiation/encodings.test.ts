import { ConfigMap, Pod } from "@typekube/api/core/v1";
import { type Encoding, jsonPatch, mergePatch, strategicPatch } from "@typekube/client";
import { codecs } from "@typekube/core/internal";
import { podPage, ScriptedServer, type Sent } from "@typekube/test-support/scripted-server";
import { describe, expect, it } from "vitest";
import { all } from "../helpers/all.js";
import { DiscoveryServer } from "../helpers/discovery-server.js";

const json = "application/json";
const protobuf = "application/vnd.kubernetes.protobuf";
const cbor = "application/cbor";
const yaml = "application/yaml";
const orElse = (type: string) => `${type}, ${json};q=0.9`;

const pod = {
  kind: "Pod",
  apiVersion: "v1",
  metadata: { name: "a", namespace: "prod" },
} as const;
const headersOf = (sent: readonly Sent[]) =>
  sent.map(({ headers }) => [headers["accept"], headers["content-type"]]);

describe("encodings of request bodies", () => {
  const writes: readonly (readonly [Encoding | undefined, string, string])[] = [
    [undefined, json, json],
    ["auto", json, json],
    ["json", json, json],
    ["protobuf", json, protobuf],
    ["cbor", orElse(cbor), cbor],
    ["yaml", orElse(yaml), yaml],
  ];

  it.each(writes)(
    "ALT6, ALT7: encoding %s: create and update accept %s and send %s",
    async (encoding, accept, contentType) => {
      const server = new ScriptedServer({ body: pod });
      const perCall = server.client().resource(Pod, "prod");
      const perClient = server.client().with({ encoding }).resource(Pod, "prod");
      await perCall.create({ metadata: { name: "a" } }, { encoding });
      await perClient.create({ metadata: { name: "a" } });
      await perClient.update({ metadata: { name: "a" } });
      await perClient.status.update("a", { metadata: { name: "a" } });
      expect(headersOf(server.sent)).toEqual(Array(4).fill([accept, contentType]));
      const codec = codecs.forContentType(contentType);
      for (const { body } of server.sent) {
        expect(await codec?.decode(body ?? new Uint8Array())).toMatchObject({
          kind: "Pod",
          apiVersion: "v1",
          metadata: { name: "a" },
        });
      }
    },
  );

  it("the call's encoding takes precedence over the client's", async () => {
    const server = new ScriptedServer({ body: pod });
    const pods = server.client().with({ encoding: "cbor" }).resource(Pod, "prod");
    await pods.get("a", { encoding: "json" });
    await pods.create(pod, { encoding: "auto" });
    expect(headersOf(server.sent)).toEqual([
      [json, undefined],
      [json, json],
    ]);
  });

  it.each(["protobuf", "cbor", "yaml"] as const)(
    "ALT20: patches and delete options are JSON under %s too",
    async (encoding) => {
      const server = new ScriptedServer({ body: pod });
      const pods = server.client().with({ encoding }).resource(Pod, "prod");
      await pods.patch("a", jsonPatch([]));
      await pods.patch("a", mergePatch({}));
      await pods.patch("a", strategicPatch({}));
      await pods.delete("a", { gracePeriodSeconds: 0 });
      await pods.deleteCollection();
      expect(server.sent.map(({ headers }) => headers["content-type"])).toEqual([
        "application/json-patch+json",
        "application/merge-patch+json",
        "application/strategic-merge-patch+json",
        json,
        json,
      ]);
      for (const { text } of server.sent) {
        expect(() => JSON.parse(text)).not.toThrow();
      }
    },
  );

  it.each([
    ["auto", "application/apply-patch+yaml"],
    ["json", "application/apply-patch+yaml"],
    ["protobuf", "application/apply-patch+yaml"],
    ["yaml", "application/apply-patch+yaml"],
    ["cbor", "application/apply-patch+cbor"],
  ] as const)("H44: an apply under %s is sent as %s", async (encoding, contentType) => {
    const server = new ScriptedServer({ body: pod });
    const pods = server.client().with({ encoding }).resource(Pod, "prod");
    await pods.apply({ metadata: { name: "a", labels: { k: "v" } } });
    await pods.status.apply("a", { metadata: { name: "a", labels: { k: "v" } } });
    for (const { headers, body, text } of server.sent) {
      expect(headers["content-type"]).toBe(contentType);
      const isCbor = contentType.endsWith("cbor");
      expect(
        isCbor ? await codecs.cbor.decode(body ?? new Uint8Array()) : JSON.parse(text),
      ).toEqual({
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "a", labels: { k: "v" } },
      });
    }
  });
});

describe("UPD4: writes protobuf only when nothing is lost", () => {
  const future = { ...pod, spec: { containers: [], fieldOfTomorrow: { deep: true } } };

  it("sends an object with a field unknown to the schema as JSON, and the next one as protobuf again", async () => {
    const server = new ScriptedServer({ body: pod });
    const pods = server.client().with({ encoding: "protobuf" }).resource(Pod, "prod");
    await pods.update(future);
    expect(JSON.parse(server.last.text)).toEqual(future);
    await pods.update(pod);
    expect(server.sent.map(({ headers }) => headers["content-type"])).toEqual([json, protobuf]);
  });

  it("sends present but empty values as JSON, since protobuf cannot tell them from absent ones", async () => {
    const server = new ScriptedServer({ body: pod });
    const pods = server.client().with({ encoding: "protobuf" }).resource(Pod, "prod");
    const spec = { containers: [{ name: "main" }], volumes: [{ name: "tmp", emptyDir: {} }] };
    const metadata = { name: "a" };
    await pods.update({ ...pod, metadata, spec });
    await pods.update({ ...pod, metadata: { ...metadata, managedFields: [] }, spec });
    expect(JSON.parse(server.last.text).metadata.managedFields).toEqual([]);
    await pods.update({ ...pod, metadata, spec: { ...spec, nodeSelector: {} } });
    expect(JSON.parse(server.last.text).spec.nodeSelector).toEqual({});
    const types = server.sent.map(({ headers }) => headers["content-type"]);
    expect(types).toEqual([protobuf, json, json]);
  });

  it("never sends or requests a custom resource as protobuf", async () => {
    const widget = { apiVersion: "x.io/v1", kind: "Widget", metadata: { name: "a" } };
    const kinds = [{ group: "x.io", version: "v1", kind: "Widget", plural: "widgets" }];
    const server = new DiscoveryServer(kinds);
    const client = server.client().with({ encoding: "protobuf" });
    const widgets = client.resource({ apiVersion: "x.io/v1", kind: "Widget" }, "prod");
    await widgets.create(widget);
    await widgets.get("a");
    const about = server.sent.filter(({ url }) => url.includes("widgets"));
    expect(headersOf(about)).toEqual([
      [json, json],
      [json, undefined],
    ]);
  });

  it("an object that is read and written back in each encoding keeps its unknown fields", async () => {
    for (const encoding of ["json", "cbor", "protobuf"] as const) {
      const codec = codecs[encoding === "protobuf" ? "json" : encoding];
      const server = new ScriptedServer({
        type: codec.mediaType,
        body: await codec.encode(future),
      });
      const pods = server.client().with({ encoding }).resource(Pod, "prod");
      await pods.update(await pods.get("a"));
      expect(await codec.decode(server.last.body ?? new Uint8Array())).toEqual(future);
    }
  });
});

describe("CHK15: encodings that are used on request only", () => {
  it("auto requests no YAML, no CBOR and no pretty JSON, and CBOR is read in pages", async () => {
    const server = new ScriptedServer(({ query }) =>
      "watch" in query ? { body: "" } : podPage(["a"]),
    );
    const pods = server.client().resource(Pod, "prod");
    await pods.list();
    await all(pods.items());
    await all(pods.watch());
    for (const { headers, path } of server.sent) {
      expect(headers["accept"]).not.toMatch(/yaml|cbor/);
      expect(path).not.toContain("pretty");
    }
    await all(pods.items({ encoding: "cbor" }));
    expect(server.last.query["limit"]).toBe("500");
  });
});

describe("N18, N19, N21: objects have the same shape for every verb and encoding", () => {
  const metadata = { name: "a", namespace: "prod", resourceVersion: "5" };
  const full = {
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata,
    data: { continue: "x", $ref: "y", "x-kubernetes-z": "z", yes: "010" },
  };

  it.each(["json", "protobuf", "cbor"] as const)("get, list and watch in %s", async (name) => {
    const codec = codecs[name];
    const { kind: _, apiVersion: __, ...item } = full;
    const list = {
      kind: "ConfigMapList",
      apiVersion: "v1",
      metadata: { resourceVersion: "5" },
      items: [item],
    };
    const server = new ScriptedServer(
      { type: codec.mediaType, body: await codec.encode(full) },
      { type: codec.mediaType, body: await codec.encode(list) },
      {
        type: codec.watchMediaType,
        body: await codec.encodeWatchEvent({ type: "ADDED", object: full }),
      },
    );
    const configMaps = server.client().with({ encoding: name }).resource(ConfigMap, "prod");
    const expected = { ...full, metadata: expect.objectContaining(metadata) };
    expect(await configMaps.get("a")).toEqual(expected);
    expect((await configMaps.list()).items).toEqual([expected]);
    expect(await all(configMaps.watch())).toEqual([{ type: "ADDED", object: expected }]);
  });

  it("items that deleteCollection returns have kind and apiVersion too", async () => {
    const server = new ScriptedServer(podPage(["a"]));
    const response = await server.client().resource(Pod, "prod").deleteCollection();
    expect(response).toMatchObject({ items: [{ kind: "Pod", apiVersion: "v1" }] });
  });

  it("an integer beyond 2^53 survives a read and a write in JSON and CBOR", async () => {
    const object = { ...full, data: undefined, big: 9007199254740993n };
    for (const name of ["json", "cbor"] as const) {
      const codec = codecs[name];
      const server = new ScriptedServer({
        type: codec.mediaType,
        body: await codec.encode(object),
      });
      const configMaps = server.client().with({ encoding: name }).resource(ConfigMap, "prod");
      const read = await configMaps.get("a");
      expect(read).toHaveProperty("big", 9007199254740993n);
      await configMaps.update(read);
      expect(await codec.decode(server.last.body ?? new Uint8Array())).toEqual(read);
    }
  });
});
