import assert from "node:assert/strict";
import type { ConformanceCase } from "../conformance-case.js";
import { rawRequest } from "../support/raw-request.js";

const warning =
  '299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"';

/** Cases for warnings about deprecated built-in types. */
export const deprecatedTypes: readonly ConformanceCase[] = [
  {
    id: "DEP11-endpoints",
    name: "every request for Endpoints returns a warning that names EndpointSlices, failed requests included",
    async run(context) {
      const path = `/api/v1/namespaces/${context.namespace}/endpoints`;
      const requests = [
        [{ path }, 200],
        [{ path: `${path}/missing` }, 404],
        [{ path: `${path}?limit=many` }, 400],
        [{ method: "DELETE", path }, 200],
      ] as const;
      for (const [request, status] of requests) {
        const response = await rawRequest(context, request);
        assert.deepEqual([response.status, response.headers["warning"]], [status, warning]);
      }
      const { headers } = await rawRequest(context, { path: path.replace(/endpoints$/, "pods") });
      assert.equal(headers["warning"], undefined);
    },
  },
  {
    id: "DEP11-counted",
    name: "a gauge counts requests for deprecated APIs",
    async run(context) {
      await rawRequest(context, { path: "/api/v1/endpoints" });
      const { text } = await rawRequest(context, { path: "/metrics", accept: "text/plain" });
      const lines = text.split("\n").filter((line) => line.includes("_deprecated_apis{"));
      assert.deepEqual(
        lines.filter((line) => line.includes('"endpoints"')),
        [
          'apiserver_requested_deprecated_apis{group="",removed_release="",resource="endpoints",subresource="",version="v1"} 1',
        ],
      );
    },
  },
];
