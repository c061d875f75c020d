import {
  applyPatch,
  call,
  configMaps,
  jsonPatch,
  mergePatch,
  strategicPatch,
  widget,
} from "@typekube/test-support/api-calls";
import { describe, expect, test } from "vitest";
import { startApiServer } from "../src/index.js";
import { illegalBase64At } from "../src/objects/base64.js";
import { duplicateFields } from "../src/request/duplicate-fields.js";

const secrets = "/api/v1/namespaces/default/secrets";
const twice =
  '{"metadata":{"name":"a"},"data":{"a":"1","b":"{\\"a\\":1,\\"a\\":2}","\\u0061":"2"}}';

describe("duplicate keys of a JSON body", () => {
  test.each([
    ['{"a":1,"b":{"a":2},"c":[{"a":1},{"a":2}]}', []],
    ['{"a":1,"a":2,"a":3}', ["a"]],
    ['{"s":{"l":[[],{"n":"x","n":"y"}]}}', ["s.l[1].n"]],
    ['{"a\\"{":1,"a\\"{":2}', ['a"{']],
    ['["a","a",{"__proto__":1,"__proto__":2}]', ["[2].__proto__"]],
  ])("finds the duplicate keys of %s", (json, expected) => {
    expect(duplicateFields(json)).toEqual(expected);
  });

  test("FLD4: Warn sends a warning and keeps the last value, Ignore sends none", async () => {
    await using api = await startApiServer();
    const warned = await call(api, "POST", `${configMaps}?fieldValidation=Warn`, twice);
    expect(warned.status).toBe(201);
    expect(warned.headers["warning"]).toBe('299 - "duplicate field \\"data.a\\""');
    expect(warned.body.data.a).toBe("2");
    const path = `${configMaps}/a?fieldValidation=Ignore`;
    const ignored = await call(api, "PUT", path, twice);
    expect(ignored.headers["warning"]).toBeUndefined();
  });

  test("FLD5: Strict rejects a body with duplicate keys", async () => {
    await using api = await startApiServer();
    const { status, body } = await call(api, "POST", `${configMaps}?fieldValidation=Strict`, twice);
    expect(status).toBe(400);
    expect(body.message).toBe(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: duplicate field "data.a"',
    );
  });
});

describe("a patch whose result cannot be decoded is 422", () => {
  test("a patch that sets a value of a wrong type is 422", async () => {
    await using api = await startApiServer();
    await call(api, "POST", configMaps, { metadata: { name: "a" }, data: { k: "v" } });
    const patch = [{ op: "replace", path: "/data/k", value: 1 }];
    const { status, body } = await call(api, "PATCH", `${configMaps}/a`, patch, jsonPatch);
    expect([status, body.reason]).toEqual([422, "Invalid"]);
    expect(body.details.causes[0].field).toBe("patch");
    expect(body.message).toContain(
      "json: cannot unmarshal number into Go struct field ConfigMap.data of type string",
    );
    expect((await call(api, "GET", `${configMaps}/a`)).body.data).toEqual({ k: "v" });
  });

  test("FLD6: an unknown or a duplicate field under Strict", async () => {
    await using api = await startApiServer();
    await call(api, "POST", configMaps, { metadata: { name: "a" } });
    const path = `${configMaps}/a?fieldValidation=Strict`;
    const patch = '{"datum":{"x":1,"x":2},"data":{"a":"1","a":"2"}}';
    const { status, body } = await call(api, "PATCH", path, patch, mergePatch);
    expect(status).toBe(422);
    expect(body.message).toMatch(
      /strict decoding error: duplicate field "data.a", unknown field "datum"$/,
    );
  });
});

test("a rejected patch shows its result as JSON, a strategic one shows the patch itself", async () => {
  await using api = await startApiServer();
  await call(api, "POST", configMaps, { metadata: { name: "a" }, data: { k: "v" } });
  const refusal = async (patch: unknown, type: Readonly<Record<string, string>>) =>
    (await call(api, "PATCH", `${configMaps}/a?fieldValidation=Strict`, patch, type)).body.message;
  expect(await refusal({ datum: [1, null] }, strategicPatch)).toBe(
    ' "" is invalid: patch: Invalid value: "map[datum:[1 <nil>]]": strict decoding error: unknown field "datum"',
  );
  expect(await refusal({ datum: 1 }, mergePatch)).toMatch(
    /^ "" is invalid: patch: Invalid value: "{\\"apiVersion\\":\\"v1\\",\\"data\\":{\\"k\\":\\"v\\"},\\"datum\\":1,\\"kind\\"/,
  );
});

test("a JSON patch of more than 10,000 operations is 413 with the message of a real server", async () => {
  await using api = await startApiServer();
  await call(api, "POST", configMaps, { metadata: { name: "a" }, data: { k: "v" } });
  const patch = Array.from({ length: 10_001 }, () => ({ op: "test", path: "/data/k", value: "v" }));
  const { status, body } = await call(api, "PATCH", `${configMaps}/a`, patch, jsonPatch);
  expect(status).toBe(413);
  expect(body.message).toBe(
    "Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001",
  );
});

describe("bytes are base64", () => {
  test.each([
    ["", undefined],
    ["YQ==", undefined],
    ["YWI=\n", undefined],
    ["YW\nJj", undefined],
    ["not base64!", 3],
    ["YWJ", 0],
    ["YWJjY", 4],
    ["Y===", 1],
    ["YQ=", 3],
    ["YQ==YQ==", 4],
    ["YQ==\nx", 5],
    ["YW=J", 2],
    ["====", 0],
  ])("decoding %j stops at %j, as in Go", (text, at) => {
    expect(illegalBase64At(text)).toBe(at);
  });

  test("a Secret whose data is not base64 is 400", async () => {
    await using api = await startApiServer();
    const bad = { metadata: { name: "a" }, data: { k: "not base64!" } };
    const { status, body } = await call(api, "POST", secrets, bad);
    expect([status, body.message]).toEqual([
      400,
      'Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte 3',
    ]);
  });
});

test("a MicroTime without six fractional digits is 400", async () => {
  await using api = await startApiServer();
  const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
  const lease = (renewTime: string) => ({ metadata: { name: "a" }, spec: { renewTime } });
  for (const [time, rest] of [
    ["2020-01-01T00:00:00Z", "Z"],
    ["2020-01-01T00:00:00.123Z", ".123Z"],
  ] as const) {
    const { status, body } = await call(api, "POST", leases, lease(time));
    expect([status, body.message]).toEqual([
      400,
      `Lease in version "v1" cannot be handled as a Lease: parsing time "${time}" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "${rest}" as ".000000"`,
    ]);
  }
  const { status } = await call(api, "POST", leases, lease("2020-01-01T00:00:00.123456Z"));
  expect(status).toBe(201);
});

describe("SSA24: integers beyond 2^53 survive an apply", () => {
  const path = "/apis/example.com/v1/namespaces/default/widgets/a";

  test.each([
    [
      "JSON",
      '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"big":9007199254740993}}',
    ],
    [
      "YAML",
      "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: {big: 9007199254740993}\n",
    ],
  ])("an integer beyond 2^53 survives an apply as %s", async (_, config) => {
    await using api = await startApiServer({ resources: [widget] });
    await call(api, "PATCH", `${path}?fieldManager=m`, config, applyPatch);
    expect((await call(api, "GET", path)).text).toContain('"big":9007199254740993}');
    const yaml = await call(api, "GET", path, undefined, { accept: "application/yaml" });
    expect(yaml.text).toContain("big: 9007199254740993\n");
  });
});
