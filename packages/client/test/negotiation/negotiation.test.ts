import { StatefulSet } from "@typekube/api/apps/v1";
import { ConfigMap, Pod } from "@typekube/api/core/v1";
import { KubeError } from "@typekube/core";
import { codecs } from "@typekube/core/internal";
import { failure } from "@typekube/test-support/failure";
import { podPage, ScriptedServer } from "@typekube/test-support/scripted-server";
import { describe, expect, it } from "vitest";
import { all } from "../helpers/all.js";
import { protobufEvent, protobufPod, protobufPods } from "../helpers/protobuf-pods.js";

const json = "application/json";
const protobuf = "application/vnd.kubernetes.protobuf";
const orElse = (type: string) => `${type}, ${json};q=0.9`;
const both = orElse(protobuf);

const names = (items: readonly { metadata: { name: string } }[]) =>
  items.map(({ metadata }) => metadata.name);

describe("the Accept header", () => {
  const pod = { body: { kind: "Pod", apiVersion: "v1", metadata: { name: "a" } } };

  it.each([
    [undefined, json, both],
    ["auto", json, both],
    ["json", json, json],
    ["protobuf", both, both],
    ["cbor", orElse("application/cbor"), orElse("application/cbor")],
    ["yaml", orElse("application/yaml"), orElse("application/yaml"), json],
  ] as const)(
    "ALT2, ALT15, ALT19, ALT25, H1: encoding %s: get accepts %s, list %s, watch the same unless %s",
    async (encoding, one, many, watch: string = many) => {
      const server = new ScriptedServer((sent) =>
        "watch" in sent.query ? { body: "" } : sent.url.endsWith("pods") ? podPage([]) : pod,
      );
      const pods = server.client().resource(Pod, "prod");
      await pods.get("a", { encoding });
      expect(server.last.headers["accept"]).toBe(one);
      await pods.list({ encoding });
      expect(server.last.headers["accept"]).toBe(many);
      await all(pods.items({ encoding }));
      expect(server.last.headers["accept"]).toBe(many);
      await all(pods.watch({ encoding }));
      expect(server.last.headers["accept"]).toBe(watch);
    },
  );

  it("a discovered kind is read as JSON, whatever was requested", async () => {
    const resources = [
      {
        resource: "widgets",
        responseKind: { kind: "Widget" },
        scope: "Namespaced",
        verbs: ["list"],
      },
    ];
    const discovery = {
      kind: "APIGroupDiscoveryList",
      items: [{ metadata: { name: "x.io" }, versions: [{ version: "v1", resources }] }],
    };
    const server = new ScriptedServer((sent) =>
      sent.url.startsWith("/apis/x.io")
        ? { body: { kind: "WidgetList", metadata: {}, items: [] } }
        : { body: discovery },
    );
    const widgets = server.client().resource({ apiVersion: "x.io/v1", kind: "Widget" }, "prod");
    await widgets.list({ encoding: "protobuf" });
    expect(server.last.headers["accept"]).toBe(json);
  });
});

describe("GRP1: claim templates of a StatefulSet have a kind in JSON, but no field for it in protobuf", () => {
  it.each(["auto", "protobuf"] as const)("encoding %s reads it as JSON", async (encoding) => {
    const list = { kind: "StatefulSetList", apiVersion: "apps/v1", metadata: {}, items: [] };
    const server = new ScriptedServer(() => ({ body: list }));
    const sets = server.client().resource(StatefulSet, "prod");
    await sets.list({ encoding });
    expect(server.last.headers["accept"]).toBe(json);
  });

  it("protobuf carries its metadata", async () => {
    const list = { kind: "PartialObjectMetadataList", apiVersion: "meta.k8s.io/v1", items: [] };
    const server = new ScriptedServer(() => ({ body: list }));
    await server.client().resource(StatefulSet, "prod").metadata().list();
    expect(server.last.headers["accept"]).toMatch(protobuf);
  });
});

describe("ALT3, H13, H28: the response's Content-Type selects the decoder", () => {
  it("for a JSON response to a protobuf request, and the reverse", async () => {
    const server = new ScriptedServer(podPage(["a"]), {
      type: protobuf,
      body: protobufPods(["a"]),
    });
    const pods = server.client().resource(Pod, "prod");
    const first = await pods.list();
    const second = await pods.list({ encoding: "json" });
    expect({ ...second, items: [] }).toEqual({ ...first, items: [] });
    expect(names(second.items)).toEqual(["a"]);
    expect(names(first.items)).toEqual(["a"]);
  });

  it("for a watch too, with parameters", async () => {
    const server = new ScriptedServer(
      { type: `${protobuf};stream=watch`, body: protobufEvent("ADDED", "a") },
      {
        type: "application/json;charset=utf-8",
        body: '{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"a"}}}\n',
      },
    );
    const pods = server.client().resource(Pod, "prod");
    for (const encoding of ["json", "protobuf"] as const) {
      const [event] = await all(pods.watch({ encoding }));
      expect(event).toMatchObject({ type: "ADDED", object: { metadata: { name: "a" } } });
    }
  });

  it("reads a response without a Content-Type as JSON", async () => {
    const server = new ScriptedServer({ type: "", body: { kind: "Pod", metadata: { name: "a" } } });
    expect(await server.client().resource(Pod, "prod").get("a")).toMatchObject({
      metadata: { name: "a" },
    });
  });

  it.each(["text/plain", "text/plain; charset=utf-8", "application/x-cbor", "constructor"])(
    "H12, H28: rejects the content type %s",
    async (type) => {
      const server = new ScriptedServer({ type, body: "secret" });
      const pods = server.client().resource(Pod, "prod");
      for (const call of [
        pods.get("a"),
        pods.list(),
        all(pods.watch()),
        pods.table(),
        pods.metadata().list(),
      ]) {
        const error = await failure(call);
        expect(error).toMatchObject({ code: "Decode", httpStatus: 200 });
        expect(error.message).toContain(type);
        expect(error.message).not.toContain("secret");
      }
      expect(server.bodiesEnded, "a body that stays open holds its connection").toBe(5);
    },
  );

  it.each(["text/html", "Text/HTML; Charset=UTF-8"])(
    "H12: shows at most 200 characters of a proxy's page (%s) with status 200, for every read",
    async (type) => {
      const page = `<html><title>Sign in</title>${"x".repeat(500)}hunter2`;
      const server = new ScriptedServer({ type, body: page });
      const pods = server.client().resource(Pod, "prod");
      for (const call of [pods.get("a"), pods.list(), all(pods.watch()), pods.table()]) {
        const error = await failure(call);
        expect(error).toMatchObject({ code: "NotKubernetes", httpStatus: 200 });
        expect(error.message).toContain(page.slice(0, 200));
        expect(error.message).not.toContain(page.slice(0, 201));
      }
      expect(server.bodiesEnded).toBe(4);
    },
  );

  it.each(["application/cbor", "application/cbor-seq"])(
    "ALT19, H28: a watch in CBOR must be a sequence, not one object (%s)",
    async (type) => {
      const event = { type: "ADDED", object: { kind: "Pod", metadata: { name: "a" } } } as const;
      const server = new ScriptedServer({ type, body: await codecs.cbor.encodeWatchEvent(event) });
      const watch = all(server.client().resource(Pod, "prod").watch({ encoding: "cbor" }));
      if (type === "application/cbor-seq") {
        expect(await watch).toEqual([event]);
      } else {
        const error = await failure(watch);
        expect(error.code).toBe("Decode");
        expect(error.message).toContain(`responded to a watch with ${type}`);
      }
    },
  );
});

describe("a field that protobuf would lose", () => {
  it("a list is read again as JSON, and the client remembers that", async () => {
    const server = new ScriptedServer(
      { type: protobuf, body: Buffer.concat(protobufPods(["a", "b*"])) },
      podPage(["a", "b*"]),
    );
    const client = server.client();
    const pods = client.resource(Pod, "prod");
    expect(names((await pods.list({ labelSelector: "x" })).items)).toEqual(["a", "b*"]);
    expect(server.sent.map(({ headers }) => headers["accept"])).toEqual([both, json]);
    expect(server.sent[1]?.query["labelSelector"]).toBe("x");
    await client.resource(Pod, "other").list();
    expect(server.last.headers["accept"]).toBe(json);
    await client
      .resource(ConfigMap, "prod")
      .list()
      .catch(() => {});
    expect(server.last.headers["accept"]).toBe(both);
  });

  it("in the middle of a list: the rest comes from the same state, without duplicates or gaps", async () => {
    const server = new ScriptedServer(
      { type: protobuf, body: protobufPods(["a", "b", "c*", "d"]) },
      podPage(["a", "b", "c*", "d"]),
    );
    const pods = server.client().resource(Pod, "prod");
    const items = await all(
      pods.items({
        pageSize: 100,
        fieldSelector: "x=y",
        resourceVersion: "5",
        resourceVersionMatch: "NotOlderThan",
      }),
    );
    expect(names(items)).toEqual(["a", "b", "c*", "d"]);
    expect(server.sent).toHaveLength(2);
    expect(server.last).toMatchObject({
      headers: { accept: json },
      query: {
        limit: "100",
        fieldSelector: "x=y",
        resourceVersion: "10",
        resourceVersionMatch: "Exact",
      },
    });
  });

  it("in the middle of a later page: its token selects the same state", async () => {
    const server = new ScriptedServer(
      { type: protobuf, body: protobufPods(["a", "b"], "token") },
      { type: protobuf, body: protobufPods(["c", "d*"]) },
      podPage(["c", "d*"]),
    );
    const items = await all(server.client().resource(Pod, "prod").items({ pageSize: 2 }));
    expect(names(items)).toEqual(["a", "b", "c", "d*"]);
    expect(server.last).toMatchObject({
      headers: { accept: json },
      query: { limit: "2", continue: "token" },
    });
    expect(server.last.query["resourceVersion"]).toBeUndefined();
  });

  it("a get that requested protobuf is read again too", async () => {
    const body = {
      kind: "Pod",
      apiVersion: "v1",
      metadata: { name: "a*" },
      spec: { fieldOfTomorrow: true },
    };
    const server = new ScriptedServer({ type: protobuf, body: protobufPod("a*") }, { body });
    const pods = server.client().resource(Pod, "prod");
    expect(await pods.get("a*", { encoding: "protobuf" })).toEqual(body);
    await pods.get("a*", { encoding: "protobuf" });
    expect(server.sent.map(({ headers }) => headers["accept"])).toEqual([both, json, json]);
  });

  it("a watch fails with an error, and the next one is in JSON", async () => {
    const server = new ScriptedServer(
      { type: `${protobuf};stream=watch`, body: protobufEvent("ADDED", "a*") },
      { body: "" },
    );
    const pods = server.client().resource(Pod, "prod");
    const error = await failure(all(pods.watch()));
    expect(error).toMatchObject({ code: "Decode" });
    expect(error.message).toContain("would lose a field of pods");
    await all(pods.watch());
    expect(server.last.headers["accept"]).toBe(json);
  });

  it("unrequested protobuf is an error rather than an incomplete object", async () => {
    const server = new ScriptedServer({ type: protobuf, body: protobufPod("a*") });
    const error = await failure(
      server
        .client()
        .resource(Pod, "prod")
        .create({ metadata: { name: "a" } }),
    );
    expect(error).toBeInstanceOf(KubeError);
    expect(error.code).toBe("Decode");
  });
});
