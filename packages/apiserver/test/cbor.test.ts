import { codecs, mediaTypes } from "@typekube/core/internal";
import {
  call,
  configMaps,
  createConfigMaps,
  exchange,
  widget,
} from "@typekube/test-support/api-calls";
import { describe, expect, test } from "vitest";
import { startApiServer } from "../src/index.js";

const { applyCbor, cbor, json } = mediaTypes;
const widgets = "/apis/example.com/v1/namespaces/default/widgets";
const both = { accept: cbor, contentType: cbor };

const start = () =>
  startApiServer({ resources: [widget], featureGates: { CBORServingAndStorage: true } });

const encode = (object: unknown) => codecs.cbor.encode(object);

const kinds = [
  ["ConfigMap", configMaps, { apiVersion: "v1", data: { k: "ä" } }],
  ["Widget", widgets, { apiVersion: "example.com/v1", spec: { n: 9007199254740993n, f: 0.5 } }],
] as const;

describe("with the CBOR gate", () => {
  test.each(kinds)("ALT1, ALT18: a %s is written and read in CBOR", async (kind, path, content) => {
    await using api = await start();
    const body = await encode({ kind, metadata: { name: "a" }, ...content });
    const created = await exchange(api, "POST", path, { ...both, body });
    expect([created.status, created.type]).toEqual([201, cbor]);
    expect(created.value).toMatchObject({ kind, ...content });
    const read = await exchange(api, "GET", `${path}/a`, { accept: cbor });
    expect(read.value).toEqual(created.value);
    expect((await exchange(api, "GET", `${path}/a`, { accept: json })).value).toEqual(read.value);
    const labelled = { ...read.value, metadata: { ...read.value.metadata, labels: { x: "y" } } };
    const put = { ...both, body: await encode(labelled) };
    const updated = await exchange(api, "PUT", `${path}/a`, put);
    expect([updated.status, updated.value.metadata.labels]).toEqual([200, { x: "y" }]);
    const list = await exchange(api, "GET", path, { accept: cbor });
    expect([list.type, list.value.kind]).toEqual([cbor, `${kind}List`]);
    expect(list.value).toEqual((await exchange(api, "GET", path, { accept: json })).value);
    const gone = await exchange(api, "DELETE", `${path}/a`, { accept: cbor });
    expect([gone.status, gone.type, gone.value.status]).toEqual([200, cbor, "Success"]);
    const missing = await exchange(api, "GET", `${path}/a`, { accept: cbor });
    expect([missing.status, missing.type, missing.value.reason]).toEqual([404, cbor, "NotFound"]);
    expect(api.requests.map(({ encoding }) => encoding)).toContain("cbor");
  });

  test.each(kinds)("ALT19: a watch of a %s is a CBOR sequence", async (kind, path, content) => {
    await using api = await start();
    await call(api, "POST", path, {
      kind,
      metadata: { name: "a" },
      apiVersion: content.apiVersion,
    });
    const from = `${path}?watch=1&resourceVersion=0`;
    const { type, value } = await exchange(api, "GET", from, { accept: cbor, events: 1 });
    expect(type).toBe("application/cbor-seq");
    expect(value).toMatchObject([{ type: "ADDED", object: { kind, metadata: { name: "a" } } }]);
    const refused = await exchange(api, "GET", from, { accept: "application/cbor-seq" });
    expect([refused.status, refused.type]).toEqual([406, json]);
  });

  test("ALT19: an ERROR event holds a Status in CBOR", async () => {
    await using api = await start();
    await createConfigMaps(api, "a", "b");
    api.compact();
    const path = `${configMaps}?watch=1&resourceVersion=1`;
    const { value } = await exchange(api, "GET", path, { accept: cbor });
    expect(value).toMatchObject([{ type: "ERROR", object: { kind: "Status", code: 410 } }]);
  });

  test.each(kinds)(
    "ALT20: an apply of a %s in CBOR stores it, and its repetition changes nothing",
    async (kind, path, content) => {
      await using api = await start();
      const body = await encode({ kind, metadata: { name: "a" }, ...content });
      const apply = { accept: cbor, contentType: applyCbor, body };
      const created = await exchange(api, "PATCH", `${path}/a?fieldManager=m`, apply);
      expect([created.status, created.value.metadata.managedFields[0].operation]).toEqual([
        201,
        "Apply",
      ]);
      expect(created.value).toMatchObject(content);
      const again = await exchange(api, "PATCH", `${path}/a?fieldManager=m`, apply);
      expect(again.value).toEqual(created.value);
    },
  );

  test("ALT20: an apply to the scale subresource in CBOR changes the replicas", async () => {
    await using api = await start();
    const deployments = "/apis/apps/v1/namespaces/default/deployments";
    const template = {
      metadata: { labels: { a: "b" } },
      spec: { containers: [{ name: "c", image: "i" }] },
    };
    const selector = { matchLabels: { a: "b" } };
    await call(api, "POST", deployments, { metadata: { name: "d" }, spec: { selector, template } });
    const body = await encode({
      apiVersion: "autoscaling/v1",
      kind: "Scale",
      metadata: { name: "d" },
      spec: { replicas: 3 },
    });
    const path = `${deployments}/d/scale?fieldManager=m&force=true`;
    const { value } = await exchange(api, "PATCH", path, { contentType: applyCbor, body });
    expect([value.kind, value.spec.replicas]).toEqual(["Scale", 3]);
  });

  test("ALT20: the other patch types do not exist in CBOR", async () => {
    await using api = await start();
    await createConfigMaps(api, "a");
    await call(api, "POST", widgets, { metadata: { name: "a" } });
    for (const patch of ["json-patch", "merge-patch", "strategic-merge-patch"]) {
      const contentType = `application/${patch}+cbor`;
      const body = await encode({});
      const builtIn = await exchange(api, "PATCH", `${configMaps}/a`, { contentType, body });
      expect([builtIn.status, builtIn.value.message, builtIn.value.details]).toEqual([
        415,
        "415: Unsupported Media Type",
        {},
      ]);
      const custom = await exchange(api, "PATCH", `${widgets}/a`, { contentType, body });
      expect([custom.status, custom.value.message]).toEqual([
        415,
        "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml, application/apply-patch+cbor",
      ]);
    }
  });

  test("reads delete options in CBOR", async () => {
    await using api = await start();
    await createConfigMaps(api, "a");
    const options = { apiVersion: "v1", kind: "DeleteOptions" };
    const uid = await encode({ ...options, preconditions: { uid: "other" } });
    const refused = await exchange(api, "DELETE", `${configMaps}/a`, { ...both, body: uid });
    expect([refused.status, refused.type, refused.value.reason]).toEqual([409, cbor, "Conflict"]);
    const dry = await encode({ ...options, dryRun: ["All"] });
    expect((await exchange(api, "DELETE", configMaps, { ...both, body: dry })).status).toBe(200);
    expect((await exchange(api, "GET", `${configMaps}/a`)).status).toBe(200);
    const cut = await exchange(api, "DELETE", `${configMaps}/a`, {
      ...both,
      body: dry.subarray(0, 9),
    });
    expect([cut.status, cut.value.message]).toEqual([
      400,
      "unable to determine group/version/kind: unexpected EOF",
    ]);
  });

  test("a 415 lists CBOR, and a Content-Type may have parameters and capitals", async () => {
    await using api = await start();
    const body = await encode({ metadata: { name: "a" } });
    const made = await exchange(api, "POST", configMaps, {
      contentType: "Application/CBOR;x=y",
      body,
    });
    expect(made.status).toBe(201);
    for (const [path, contentType] of [
      [configMaps, "text/plain"],
      [widgets, "application/cbor-seq"],
    ] as const) {
      const { value } = await exchange(api, "POST", path, { contentType, body });
      expect(value.message).toBe(
        "the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf, application/cbor",
      );
    }
  });
});

/** Builds CBOR items by hand: `k` is a short byte string, `map` takes alternating keys and values. */
const k = (text: string) => Buffer.concat([Uint8Array.of(0x40 | text.length), Buffer.from(text)]);
const map = (...items: Uint8Array[]) =>
  Buffer.concat([Uint8Array.of(0xa0 | (items.length / 2)), ...items]);
const head = [k("kind"), k("ConfigMap"), k("apiVersion"), k("v1")];
const named = [...head, k("metadata"), map(k("name"), k("a"))];
const unrecognized =
  "the object provided is unrecognized (must be of type ConfigMap): unable to determine group/version/kind: ";
const unreadable = 'ConfigMap in version "v1" cannot be handled as a ConfigMap: ';

/** Bodies that kube-apiserver 1.37.1 rejected with these messages, for a create and after `error decoding patch: `. */
const refusals = [
  ["nothing", Buffer.alloc(0), `${unrecognized}EOF (<empty>)`, "EOF"],
  ["a cut body", map(...named).subarray(0, 20), `${unrecognized}unexpected EOF`, "unexpected EOF"],
  [
    "a byte too many",
    Buffer.concat([map(...named), Uint8Array.of(0xf6)]),
    `${unrecognized}cbor: 1 bytes of extraneous data starting at index 47`,
    "cbor: 1 bytes of extraneous data starting at index 47",
  ],
  [
    "NaN",
    map(...named, k("data"), map(k("x"), Buffer.from("f97e00", "hex"))),
    `${unrecognized}cbor: data item of cbor type primitives is not accepted by protocol: floating-point NaN`,
    "cbor: data item of cbor type primitives is not accepted by protocol: floating-point NaN",
  ],
  [
    "an infinite number",
    map(...named, k("data"), map(k("x"), Buffer.from("fb7ff0000000000000", "hex"))),
    `${unrecognized}cbor: data item of cbor type primitives is not accepted by protocol: floating-point infinity`,
    "cbor: data item of cbor type primitives is not accepted by protocol: floating-point infinity",
  ],
  [
    "a bignum",
    map(...named, k("data"), map(k("x"), Buffer.from("c249010000000000000000", "hex"))),
    `${unrecognized}cbor: data item of cbor type tag is not accepted by protocol: bignum`,
    "cbor: data item of cbor type tag is not accepted by protocol: bignum",
  ],
  [
    "a key twice in the object",
    map(...named, k("kind"), k("ConfigMap")),
    `${unrecognized}cbor: found duplicate map key "kind" at map element index 3`,
    'cbor: found duplicate map key "kind" at map element index 3',
  ],
  [
    "a key twice in a field",
    map(...named, k("data"), map(k("a"), k("1"), k("a"), k("2"))),
    `${unreadable}cbor: found duplicate map key "a" at map element index 1`,
    'cbor: found duplicate map key "a" at map element index 1',
  ],
  [
    "an array",
    Uint8Array.of(0x80),
    `${unrecognized}cbor: cannot unmarshal array into Go value of type v1.TypeMeta (cannot decode CBOR array to struct without toarray option)`,
    "cbor: cannot unmarshal array into Go value of type map[string]interface {}",
  ],
] as const;

describe("ALT18: a rejected body", () => {
  test.each(refusals)(
    "a CBOR create and a CBOR apply are 400: %s",
    async (_, body, created, patched) => {
      await using api = await start();
      const post = await exchange(api, "POST", configMaps, { contentType: cbor, body });
      expect([post.status, post.value.message]).toEqual([400, created]);
      const path = `${configMaps}/a?fieldManager=m`;
      const patch = await exchange(api, "PATCH", path, { contentType: applyCbor, body });
      expect([patch.status, patch.value.message]).toEqual([
        400,
        `error decoding patch: ${patched}`,
      ]);
    },
  );

  test("rejects maps as keys of maps, two million levels deep", async () => {
    await using api = await start();
    const deep = Buffer.alloc(2_000_000, 0xa1);
    const { status } = await exchange(api, "POST", configMaps, { contentType: cbor, body: deep });
    expect(status).toBe(400);
  });
});

describe("without the CBOR gate, as by default in 1.37", () => {
  test("ALT17: neither reads nor writes CBOR, and uses JSON when it is the second choice", async () => {
    await using api = await startApiServer({ resources: [widget] });
    await createConfigMaps(api, "a");
    const body = await encode({ metadata: { name: "b" } });
    const posted = await exchange(api, "POST", configMaps, { contentType: cbor, body });
    expect([posted.status, posted.value.message]).toEqual([
      415,
      "the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf",
    ]);
    const patch = { contentType: applyCbor, body };
    const builtIn = await exchange(api, "PATCH", `${configMaps}/a?fieldManager=m`, patch);
    expect(builtIn.value.message).toBe("415: Unsupported Media Type");
    const custom = await exchange(api, "PATCH", `${widgets}/a?fieldManager=m`, patch);
    expect(custom.value.message).toBe(
      "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml",
    );
    expect((await exchange(api, "GET", configMaps, { accept: cbor })).status).toBe(406);
    const second = await exchange(api, "GET", configMaps, { accept: `${cbor}, ${json};q=0.9` });
    expect([second.status, second.type]).toEqual([200, json]);
  });
});
