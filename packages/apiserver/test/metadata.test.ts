import { mediaTypes } from "@typekube/core/internal";
import {
  call,
  configMaps,
  createConfigMaps,
  exchange,
  widget,
} from "@typekube/test-support/api-calls";
import { describe, expect, test } from "vitest";
import { startApiServer } from "../src/index.js";

const { cbor, json, protobuf, yaml } = mediaTypes;
const widgets = "/apis/example.com/v1/namespaces/default/widgets";
const one = "as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
const many = "as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

const start = () =>
  startApiServer({ resources: [widget], featureGates: { CBORServingAndStorage: true } });

const places = [
  ["a built-in kind", configMaps, "ConfigMap"],
  ["a custom resource", widgets, "Widget"],
] as const;

describe.each(places)("metadata of %s", (_, path) => {
  test.each([json, yaml, cbor, protobuf])(
    "ALT21, ALT26: reads, lists and watches return only metadata in %s",
    async (type) => {
      await using api = await start();
      const created = await call(api, "POST", path, {
        metadata: { name: "a", labels: { x: "y" } },
      });
      const { metadata } = created.body;
      const view = { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata };
      const got = await exchange(api, "GET", `${path}/a`, { accept: `${type};${one}` });
      expect([got.type, got.value]).toEqual([type, view]);
      const list = await exchange(api, "GET", path, { accept: `${type};${many}` });
      const { resourceVersion } = api;
      expect(list.value).toEqual({
        kind: "PartialObjectMetadataList",
        apiVersion: "meta.k8s.io/v1",
        metadata: { resourceVersion },
        // In protobuf, list items have no kind.
        items: [type === protobuf ? { metadata } : view],
      });
      const patch = { accept: `${type};${one}`, contentType: mediaTypes.mergePatch, body: "{}" };
      expect((await exchange(api, "PATCH", `${path}/a`, patch)).value).toEqual(view);
      if (type === yaml) {
        return;
      }
      const watch = `${path}?watch=1&resourceVersion=0&allowWatchBookmarks=true`;
      const { value } = await exchange(api, "GET", watch, { accept: `${type};${one}`, events: 2 });
      expect(value).toEqual([
        { type: "ADDED", object: view },
        {
          type: "BOOKMARK",
          object: {
            ...view,
            metadata: { resourceVersion, annotations: { "k8s.io/initial-events-end": "true" } },
          },
        },
      ]);
    },
  );

  test("ALT22: supports v1beta1, leaves a Status a Status, and sends null as the items of an empty list", async () => {
    await using api = await start();
    const empty = await call(api, "GET", path, undefined, { accept: `${json};${many}` });
    expect(empty.body.items).toBeNull();
    await call(api, "POST", path, { metadata: { name: "a" } });
    const beta = { accept: `${protobuf};${one}beta1` };
    const got = await exchange(api, "GET", `${path}/a`, beta);
    expect(got.value.apiVersion).toBe("meta.k8s.io/v1beta1");
    const gone = await exchange(api, "DELETE", `${path}/a`, { accept: `${json};${many}` });
    expect([gone.status, gone.value.kind]).toEqual([200, "Status"]);
  });

  test("ALT23: a watch as PartialObjectMetadataList ends without an event", async () => {
    await using api = await start();
    await call(api, "POST", path, { metadata: { name: "a" } });
    const watch = `${path}?watch=1&resourceVersion=0`;
    const { status, value } = await exchange(api, "GET", watch, { accept: `${json};${many}` });
    expect([status, value]).toEqual([200, []]);
    expect(api.openWatches).toBe(0);
  });
});

describe("ALT23: the object's view name for a list, or the list's for an object", () => {
  test.each([json, yaml, cbor, protobuf])("%s: 406, or 500 for a custom resource", async (type) => {
    await using api = await start();
    await createConfigMaps(api, "a");
    await call(api, "POST", widgets, { metadata: { name: "a" } });
    const refusal = async (path: string, view: string) => {
      const accept = `${type};${view}, ${json};q=0.9`;
      const { value } = await exchange(api, "GET", path, { accept });
      return [value.code, value.reason, value.message];
    };
    expect(await refusal(configMaps, one)).toEqual([
      406,
      "NotAcceptable",
      "you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)",
    ]);
    expect(await refusal(widgets, one)).toEqual([
      406,
      "NotAcceptable",
      "you requested PartialObjectMetadata, but the requested object is a list (*unstructured.UnstructuredList)",
    ]);
    expect(await refusal(`${configMaps}/a`, many)).toEqual([
      406,
      "NotAcceptable",
      "you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)",
    ]);
    expect(await refusal(`${widgets}/a`, many)).toEqual([500, undefined, "content is not a list"]);
  });

  test("creates the object before the view is rejected", async () => {
    await using api = await start();
    const accept = `${json};${many}`;
    const body = '{"metadata":{"name":"a"}}';
    const { status } = await exchange(api, "POST", configMaps, { accept, contentType: json, body });
    expect(status).toBe(406);
    expect((await call(api, "GET", `${configMaps}/a`)).status).toBe(200);
  });
});
