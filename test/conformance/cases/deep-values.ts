import assert from "node:assert/strict";
import { mediaTypes } from "@typekube/core/internal";
import type { ConformanceCase } from "../conformance-case.js";
import {
  customDefinition,
  customGroup,
  customResource,
  version,
} from "../support/custom-resources.js";
import { rawRequest } from "../support/raw-request.js";

const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const deeps = customDefinition("Deep", [version(open)]);

/** Nesting levels of a value: up to the clients' default limit, and beyond. */
const depths = [500, 501, 1_000, 1_900];

const jsonPatches: readonly ConformanceCase[] = depths.map((depth) => ({
  id: `deep-patch-${depth}`,
  name: `custom: a JSON patch adds a value of ${depth} nested levels`,
  needs: ["crd"],
  async run(context) {
    const resource = await customResource(context, deeps);
    await resource.create({ metadata: { name: "a" } });
    const value = "[".repeat(depth) + "]".repeat(depth);
    const { status, text } = await rawRequest(context, {
      method: "PATCH",
      path: `/apis/${customGroup}/v1/namespaces/${context.namespace}/deeps/a?dryRun=All`,
      contentType: mediaTypes.jsonPatch,
      body: `[{"op":"add","path":"/x","value":${value}}]`,
    });
    assert.equal(status, 200);
    assert.ok(text.includes(`"x":${value}`));
  },
}));

/** Nesting levels of a body: as many as the embedded server accepts, and more than a real server does. */
const accepted = 1_990;
const rejected = 10_001;

/** Returns a value of so many nested levels. */
function nested(depth: number): string {
  return ['{"a":'.repeat(depth - 1), "{}", "}".repeat(depth - 1)].join("");
}

function deepBody(name: string, depth: number): string {
  const value = nested(depth - 1);
  return `{"apiVersion":"${customGroup}/v1","kind":"Deep","metadata":{"name":"${name}"},"x":${value}}`;
}

/** Requests with bodies of so many nested levels, each with the message of a server that rejects it. */
const requests: Readonly<
  Record<string, (depth: number) => { readonly request: object; readonly why: string }>
> = {
  create: (depth) => ({
    request: { method: "POST", body: deepBody("created", depth) },
    why: "the object provided is unrecognized (must be of type Deep): couldn't get version/kind; json parse error: invalid character '{' exceeded max depth",
  }),
  apply: (depth) => ({
    request: {
      method: "PATCH",
      place: "/applied?fieldManager=m",
      contentType: mediaTypes.applyYaml,
      body: deepBody("applied", depth),
    },
    why: "error decoding patch: error converting YAML to JSON: yaml: exceeded max depth of 10000",
  }),
  "merge patch": (depth) => ({
    request: {
      method: "PATCH",
      place: "/a",
      contentType: mediaTypes.mergePatch,
      body: `{"x":${nested(depth - 1)}}`,
    },
    why: "invalid JSON patch",
  }),
  "JSON patch": (depth) => ({
    request: {
      method: "PATCH",
      place: "/a",
      contentType: mediaTypes.jsonPatch,
      body: `[{"op":"add","path":"/x","value":${nested(depth - 2)}}]`,
    },
    why: "invalid JSON patch",
  }),
  "options of a delete": (depth) => ({
    request: { method: "DELETE", place: "/a", body: `{"x":${nested(depth - 1)}}` },
    why: "couldn't get version/kind; json parse error: invalid character '{' exceeded max depth",
  }),
};

const bodies: readonly ConformanceCase[] = Object.entries(requests).map(([what, of]) => ({
  id: `deep-body-${what.replaceAll(" ", "-")}`,
  name: `custom: ${what}: a body of ${accepted} nested levels is accepted, one of ${rejected} is a bad request`,
  needs: ["crd"],
  async run(context) {
    const resource = await customResource(context, deeps);
    await resource.create({ metadata: { name: "a" } });
    const send = (request: { readonly place?: string }) => {
      const collection = `/apis/${customGroup}/v1/namespaces/${context.namespace}/deeps`;
      return rawRequest(context, { ...request, path: `${collection}${request.place ?? ""}` });
    };
    const { request, why } = of(rejected);
    const refused = await send(request);
    assert.equal(refused.status, 400, refused.text.slice(0, 500));
    const { message = "" } = refused.json<{ readonly message?: string }>();
    assert.equal(message.slice(0, why.length), why);
    const response = await send(of(accepted).request);
    assert.ok(response.status <= 201, response.text.slice(0, 500));
  },
}));

const laterWrites: ConformanceCase = {
  id: "deep-object-written-again",
  name: `custom: an object of ${accepted} nested levels can be changed, applied and deleted`,
  needs: ["crd"],
  async run(context) {
    const resource = await customResource(context, deeps);
    const path = `/apis/${customGroup}/v1/namespaces/${context.namespace}/deeps`;
    await rawRequest(context, { method: "POST", path, body: deepBody("a", accepted) });
    const patches: readonly (readonly [contentType: string, body: string])[] = [
      [mediaTypes.mergePatch, '{"metadata":{"labels":{"a":"b"}}}'],
      [mediaTypes.jsonPatch, '[{"op":"add","path":"/y","value":1}]'],
      [
        mediaTypes.applyYaml,
        `{"apiVersion":"${customGroup}/v1","kind":"Deep","metadata":{"name":"a","labels":{"c":"d"}}}`,
      ],
    ];
    for (const [contentType, body] of patches) {
      const place = `${path}/a?fieldManager=m`;
      const request = { method: "PATCH", path: place, contentType, body } as const;
      const { status, text } = await rawRequest(context, request);
      assert.equal(status, 200, text.slice(0, 500));
    }
    await resource.delete("a");
  },
};

/** Cases for deeply nested values in bodies, patches and stored objects. */
export const deepValues: readonly ConformanceCase[] = [...jsonPatches, ...bodies, laterWrites];
