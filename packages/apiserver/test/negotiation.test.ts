import { mediaTypes } from "@typekube/core/internal";
import {
  call,
  configMaps,
  createConfigMaps,
  exchange,
  readResponse,
  widget,
} from "@typekube/test-support/api-calls";
import { describe, expect, test } from "vitest";
import { startApiServer } from "../src/index.js";
import { acceptClauses } from "../src/request/accept-clauses.js";

const { cbor, json, protobuf, yaml } = mediaTypes;
const widgets = "/apis/example.com/v1/namespaces/default/widgets";
const cborGate = { CBORServingAndStorage: true };
const plain = `${json}, ${yaml}, ${protobuf}`;
const streams = `${json};stream=watch, ${protobuf};stream=watch`;
const asTable = "as=Table;g=meta.k8s.io;v=v1";

/** Accept headers and a kube-apiserver 1.37.1's response type to a get: built-in, with CBOR on, custom. */
const measured = [
  [undefined, json, json, json],
  ["", json, json, json],
  ["*/*", json, json, json],
  ["application/*", 406, 406, json],
  ["text/html", 406, 406, 406],
  ["text/html, */*;q=0.1", json, json, json],
  ["text/html, application/json;q=0.5", json, json, json],
  ["Application/JSON", 406, 406, 406],
  [";", 406, 406, 406],
  [cbor, 406, cbor, 406],
  [`${cbor}, ${json}`, json, cbor, json],
  [`${cbor};q=0, ${json}`, json, json, json],
  [`${json};q=0.1, ${cbor};q=0.9`, json, cbor, json],
  ["application/cbor-seq", 406, 406, 406],
  ["application/cbor-seq, application/json", json, json, json],
  [`${json};q=0`, json, json, json],
  [`${json};q=abc, ${yaml}`, yaml, yaml, yaml],
  [`${json};q=2, ${yaml};q=0.9`, json, json, json],
  [`${yaml}, ${json}`, yaml, yaml, yaml],
  [`*/*, ${yaml}`, yaml, yaml, yaml],
  [`*/*;q=0.1, ${yaml};q=0.05`, yaml, yaml, yaml],
  [`${json};foo=bar;charset=utf-8`, json, json, json],
  [`${json};stream=watch`, json, json, json],
  [`${json};stream=foo`, 406, 406, 406],
  [`${yaml};stream=watch`, 406, 406, 406],
  [`${protobuf}, */*`, protobuf, protobuf, json],
  [`${protobuf}, text/html`, protobuf, protobuf, 406],
  [`${json};as=`, json, json, json],
  [`${json};as=Table`, 406, 406, 406],
  [`${json};as=Foo;g=meta.k8s.io;v=v1`, 406, 406, 406],
  [`${json};as=Foo;g=meta.k8s.io;v=v1, ${json}`, json, json, json],
  [`${protobuf};${asTable}`, 406, 406, 406],
  [`${protobuf};${asTable}, ${json}`, json, json, json],
  [`${cbor};${asTable}, ${cbor}`, 406, cbor, 406],
  [`*/*;${asTable}`, json, json, json],
] as const;

describe("Accept", () => {
  test.each(measured)(
    "ALT3, ALT25: the encoding of the response follows the Accept header %s",
    async (accept, builtIn, withCbor, custom) => {
      await using off = await startApiServer({ resources: [widget] });
      await using on = await startApiServer({ featureGates: cborGate });
      const seen: (number | string)[] = [];
      for (const [api, path] of [
        [off, configMaps],
        [on, configMaps],
        [off, widgets],
      ] as const) {
        await call(api, "POST", path, { metadata: { name: "a" } });
        const requested = accept === undefined ? {} : { accept };
        const { status, type } = await exchange(api, "GET", `${path}/a`, requested);
        seen.push(status === 200 ? type : status);
      }
      expect(seen).toEqual([builtIn, withCbor, custom]);
    },
  );

  test("ALT25: sorts wildcards last, higher weights first, equal ones in their order", () => {
    const order = (header: string) =>
      acceptClauses(header).map(({ type, subtype }) => `${type}/${subtype}`);
    expect(order("*/*, a/*, a/b")).toEqual(["a/b", "a/*", "*/*"]);
    expect(order("a/c;q=0.5, a/b, a/d;q=0.5")).toEqual(["a/b", "a/c", "a/d"]);
  });

  test("an error lists the available types of the path, or why a known type is impossible", async () => {
    await using off = await startApiServer({ resources: [widget] });
    await using on = await startApiServer({ resources: [widget], featureGates: cborGate });
    await createConfigMaps(off, "a");
    const texts = async (api: typeof off, path: string, accept: string) => {
      const { value, type } = await exchange(api, "GET", path, { accept });
      expect([type, value.code, value.reason]).toEqual([json, 406, "NotAcceptable"]);
      return value.message;
    };
    const unknown = "406: Not Acceptable\n\nAvailable representations: ";
    const only = "only the following media types are accepted: ";
    expect(await texts(off, `${configMaps}/a`, "text/html")).toBe(unknown + plain);
    expect(await texts(off, configMaps, "text/html")).toBe(`${unknown}${plain}, ${streams}`);
    expect(await texts(on, `${configMaps}/a`, "text/html")).toBe(`${unknown}${plain}, ${cbor}`);
    expect(await texts(on, configMaps, "text/html")).toBe(
      `${unknown}${plain}, ${cbor}, ${streams}, application/cbor-seq`,
    );
    expect(await texts(off, `${configMaps}/a`, `${json};as=Foo`)).toBe(only + plain);
    expect(await texts(on, `${configMaps}/a`, `${json};as=Foo`)).toBe(`${only}${plain}, ${cbor}`);
    expect(await texts(off, widgets, "text/html")).toBe(only + plain);
    expect(await texts(on, "/version", "text/html")).toBe(unknown + json);
  });

  test("ALT5: sends an error in the requested encoding, or as indented JSON", async () => {
    await using api = await startApiServer({ resources: [widget], featureGates: cborGate });
    for (const accept of [protobuf, cbor, yaml, json]) {
      const missing = await exchange(api, "GET", `${configMaps}/a`, { accept });
      expect([missing.type, missing.value.reason]).toEqual([accept, "NotFound"]);
    }
    const refused = await exchange(api, "GET", widgets, { accept: protobuf });
    expect([refused.type, refused.value.reason]).toEqual([protobuf, "NotAcceptable"]);
    const view = `${cbor};as=PartialObjectMetadata;g=meta.k8s.io;v=v1`;
    const { text } = await call(api, "GET", `${configMaps}/a`, undefined, { accept: view });
    expect(text).toMatch(/^\{\n {2}"kind": "Status"/);
  });

  test("a watch in YAML is 406, whatever other types follow", async () => {
    for (const featureGates of [{}, cborGate]) {
      await using api = await startApiServer({ featureGates });
      const accept = `${yaml}, ${json};q=0.9`;
      const { status, type, value } = await exchange(api, "GET", `${configMaps}?watch=1`, {
        accept,
      });
      const types = featureGates === cborGate ? `${streams}, application/cbor-seq` : streams;
      expect([status, type, value.message]).toEqual([
        406,
        yaml,
        `only the following media types are accepted: ${types}`,
      ]);
    }
  });

  test("ES19: discovery supports every encoding, but a custom group's does not support CBOR", async () => {
    await using api = await startApiServer({ resources: [widget], featureGates: cborGate });
    const aggregated = "g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    for (const accept of [json, yaml, protobuf, cbor]) {
      for (const path of ["/api", "/apis", "/apis/apps", "/api/v1", "/apis/apps/v1"]) {
        const { status, type } = await exchange(api, "GET", path, { accept });
        expect([path, status, type]).toEqual([path, 200, accept]);
      }
      const all = await exchange(api, "GET", "/apis", { accept: `${accept};${aggregated}` });
      expect([all.type, all.value.kind]).toEqual([
        `${accept};${aggregated}`,
        "APIGroupDiscoveryList",
      ]);
    }
    const refused = await exchange(api, "GET", "/apis/example.com/v1", { accept: cbor });
    expect([refused.status, refused.value.message]).toEqual([
      406,
      `only the following media types are accepted: ${plain}`,
    ]);
  });
});

describe("ALT29: indented JSON", () => {
  test.each([
    ["typekube/1", "", json, false],
    ["curl/8.0", "", json, true],
    ["Wget/1", "", json, true],
    ["Mozilla/5.0 (X11)", "", json, true],
    ["curl/8.0", "?pretty=false", json, false],
    ["typekube/1", "?pretty=true", json, true],
    ["typekube/1", "?pretty=0", `${json};pretty=1`, true],
    ["typekube/1", "", `${json};pretty=true`, false],
  ])(
    "indents JSON for the user agent %s, query %s and Accept %s: %s",
    async (userAgent, query, accept, indented) => {
      await using api = await startApiServer();
      await createConfigMaps(api, "a");
      const response = await api.send({
        method: "GET",
        path: `${configMaps}/a${query}`,
        headers: { accept, "user-agent": userAgent },
        mode: "call",
      });
      expect((await readResponse(response)).text.startsWith("{\n")).toBe(indented);
    },
  );
});
