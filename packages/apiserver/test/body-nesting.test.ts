import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startApiServer } from "@typekube/apiserver";
import {
  applyPatch,
  call,
  configMaps,
  createConfigMaps,
  jsonPatch,
  mergePatch,
  strategicPatch,
} from "@typekube/test-support/api-calls";
import { beforeAll, describe, expect, test } from "vitest";
import { maxNesting } from "../src/request/body-nesting.js";

/** Returns a value of so many nested levels. */
const lists = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const maps = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${"}".repeat(depth - 1)}`;

/** Nesting levels beyond the maximum of this server; some bodies are larger than 64 KiB. */
const depths = [maxNesting + 1, 4_000, 9_999, 10_000, 10_001, 100_000];

type Server = Awaited<ReturnType<typeof startApiServer>>;

/** Sends a body that contains a value. */
const requests: Readonly<Record<string, (api: Server, value: string) => Promise<unknown>>> = {
  create: (api, value) => call(api, "POST", configMaps, `{"metadata":{"name":"b"},"x":${value}}`),
  "create in YAML": (api, value) =>
    call(api, "POST", configMaps, `{metadata: {name: b}, x: ${value}}`, yaml),
  update: (api, value) =>
    call(api, "PUT", `${configMaps}/a`, `{"metadata":{"name":"a"},"data":${value}}`),
  apply: (api, value) =>
    call(
      api,
      "PATCH",
      `${configMaps}/a?fieldManager=m`,
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"x":${value}}`,
      applyPatch,
    ),
  "apply in YAML": (api, value) =>
    call(
      api,
      "PATCH",
      `${configMaps}/a?fieldManager=m`,
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nx: ${value}`,
      applyPatch,
    ),
  "merge patch": (api, value) =>
    call(api, "PATCH", `${configMaps}/a`, `{"data":${value}}`, mergePatch),
  "strategic merge patch": (api, value) =>
    call(api, "PATCH", `${configMaps}/a`, `{"data":${value}}`, strategicPatch),
  "JSON patch": (api, value) =>
    call(
      api,
      "PATCH",
      `${configMaps}/a`,
      `[{"op":"add","path":"/data","value":${value}}]`,
      jsonPatch,
    ),
  "delete options": (api, value) => call(api, "DELETE", `${configMaps}/a`, `{"x":${value}}`),
  review: (api, value) =>
    call(
      api,
      "POST",
      "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
      `{"spec":${value}}`,
    ),
  definition: (api, value) =>
    call(
      api,
      "POST",
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
      `{"metadata":{"name":"x"},"spec":${value}}`,
    ),
};
const yaml = { "content-type": "application/yaml" };

let api: Server;
beforeAll(async () => {
  api = await startApiServer();
  await createConfigMaps(api, "a");
  return () => api.close();
});

describe.each(Object.entries(requests))("a body that nests too deep: %s", (_name, send) => {
  test.each(depths)("%i levels are a bad request that names the maximum", async (depth) => {
    for (const value of [lists(depth), maps(depth)]) {
      const response = await send(api, value);
      expect(response).toMatchObject({ status: 400, body: { reason: "BadRequest" } });
      const { message } = (response as { body: { message: string } }).body;
      expect(message).toMatch(/nests deeper than|exceeded max depth|invalid JSON patch/);
    }
  });
});

test("CBOR that nests too deep is a bad request", async () => {
  const cbor = await startApiServer({ featureGates: { CBORServingAndStorage: true } });
  for (const depth of depths) {
    // A map with the key x, which has nested lists.
    const start = Buffer.of(0xa1, 0x61, 0x78);
    const body = Buffer.concat([start, Buffer.alloc(depth - 1, 0x81), Buffer.of(0x80)]);
    const type = { "content-type": "application/cbor" };
    const { status, body: said } = await call(cbor, "POST", configMaps, body, type);
    expect([status, said.message]).toEqual([400, expect.stringContaining("max nested level")]);
  }
  await cbor.close();
});

test("brackets in strings are no levels", async () => {
  const text = JSON.stringify('[{\\"'.repeat(3_000));
  const body = `{"metadata":{"name":"brackets"},"data":{"k":${text}}}`;
  expect((await call(api, "POST", configMaps, body)).status).toBe(201);
});

const program = `
import { startApiServer } from "@typekube/apiserver";
import { createConfigMaps, call, configMaps, strategicPatch } from "@typekube/test-support/api-calls";
const api = await startApiServer();
await createConfigMaps(api, "a");
const value = '{"a":'.repeat(1_900) + "{}" + "}".repeat(1_900);
const { status, body } = await call(api, "PATCH", configMaps + "/a", '{"data":' + value + "}", strategicPatch);
const after = await call(api, "GET", configMaps + "/a");
console.log(JSON.stringify([status, body.message, after.body.data ?? null]));
await api.close();
`;

test("values that overflow a small stack are a bad request, and nothing is written", async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      "--stack-size=300",
      "--conditions=@typekube/source",
      "--import",
      "tsx",
      "--input-type=module",
      "--eval",
      program,
    ],
    { cwd: fileURLToPath(new URL(".", import.meta.url)) },
  );
  expect(JSON.parse(stdout)).toEqual([
    400,
    "the request nests values too deep for this process: the embedded server accepts up to 2000 levels where the stack is large enough",
    null,
  ]);
});
