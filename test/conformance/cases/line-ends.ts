import assert from "node:assert/strict";
import type { ConformanceCase, ConformanceContext } from "../conformance-case.js";
import { type RawRequest, rawRequest } from "../support/raw-request.js";

const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const table = "application/json;as=Table;g=meta.k8s.io;v=v1";
const partial = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
const merge = "application/merge-patch+json";
const yaml = "application/yaml";

/** Shape of a body: one line with a trailing newline, one line without it, or several lines without it. */
type Shape = "indented" | "line" | "open line";

async function assertShapes(
  context: ConformanceContext,
  shape: Shape,
  requests: readonly RawRequest[],
): Promise<void> {
  for (const request of requests) {
    const { text } = await rawRequest(context, request);
    const body = text.trimEnd();
    const seen = [body.includes("\n"), text.slice(body.length)];
    const expected = [shape === "indented", shape === "line" ? "\n" : ""];
    assert.deepEqual(seen, expected, `${request.method ?? "GET"} ${request.path}`);
  }
}

/** Cases for trailing newlines in JSON responses. */
export const lineEnds: readonly ConformanceCase[] = [
  {
    id: "line-ends-objects",
    name: "objects, lists, views and Statuses end with a line break, unless they are indented",
    async run(context) {
      const all = `/api/v1/namespaces/${context.namespace}/configmaps`;
      const one = `${all}/a`;
      const body = { metadata: { name: "a" } };
      const method = "POST";
      await assertShapes(context, "line", [
        { method, path: all, body },
        { path: one },
        { path: `${one}?pretty=0`, userAgent: "curl/8" },
        { path: all },
        { path: all, accept: table },
        { path: all, accept: partial },
        { method: "PUT", path: one, body },
        { method: "PATCH", path: one, contentType: merge, body: { data: { ä: "ü€😀" } } },
        { path: one },
        { path: `${all}/nothing` },
        { method, path: all, body: "{" },
        { method, path: all, body: { metadata: { name: "A" } } },
        { method: "PUT", path: all, body },
        { path: "/apis/apps/v9/things" },
        { path: `${all}?watch=1&resourceVersion=x` },
        { method: "DELETE", path: one },
        { method: "DELETE", path: all },
      ]);
      await assertShapes(context, "indented", [
        { method, path: `${all}?pretty=1`, body },
        { path: `${one}?pretty=1` },
        { path: one, userAgent: "curl/8" },
        { path: `${all}/nothing?pretty=1` },
        { path: one, accept: "text/plain" },
      ]);
      const { text } = await rawRequest(context, { path: one, accept: yaml });
      assert.match(text, /[^\n]\n$/);
    },
  },
  {
    id: "line-ends-elsewhere",
    name: "discovery ends with a line break, OpenAPI and health do not; / and /version are indented",
    async run(context) {
      await assertShapes(context, "line", [
        { path: "/api" },
        { path: "/apis" },
        { path: "/apis", accept: aggregated },
        { path: "/api/v1" },
        { path: "/apis/apps" },
        { path: "/apis/apps/v1" },
      ]);
      await assertShapes(context, "indented", [
        { path: "/apis?pretty=1" },
        { path: "/" },
        { path: "/?pretty=0" },
        { path: "/version" },
        { path: "/version?pretty=0" },
      ]);
      await assertShapes(context, "open line", [
        { path: "/openapi/v2" },
        { path: "/openapi/v3" },
        { path: "/openapi/v3/apis/apps/v1?pretty=1" },
        { path: "/healthz" },
        { path: "/livez/ping" },
      ]);
    },
  },
];
