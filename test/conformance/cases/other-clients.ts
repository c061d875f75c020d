import assert from "node:assert/strict";
import { Pod, ServiceAccount } from "@typekube/api/core/v1";
import type { ConformanceCase } from "../conformance-case.js";
import {
  customDefinition,
  customGroup,
  customResource,
  version,
} from "../support/custom-resources.js";
import { pod } from "../support/objects.js";
import { expectRefusal, rawRequest } from "../support/raw-request.js";

const table = "application/json;as=Table;v=v1;g=meta.k8s.io";
const metadataOnly = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";

const badTimeouts = [
  ["invalid", 'invalid duration "invalid"'],
  ["5", 'missing unit in duration "5"'],
  ["5d", 'unknown unit "d" in duration "5d"'],
  [".s", 'invalid duration ".s"'],
  ['"', 'invalid duration "\\""'],
  ["é", 'invalid duration "\\xc3\\xa9"'],
  ["1\u0001", 'unknown unit "\\x01" in duration "1\\x01"'],
  ["9223372037s", 'invalid duration "9223372037s"'],
] as const;

/** Cases for behaviour that clients in other languages rely on, found by comparison with a real server. */
export const otherClients: readonly ConformanceCase[] = [
  {
    id: "timeout-parameter",
    name: "a timeout that is not a Go duration is rejected on every path, before other errors",
    async run(context) {
      for (const [timeout, why] of badTimeouts) {
        const query = `timeout=${encodeURIComponent(timeout)}`;
        await expectRefusal(
          context,
          { path: `/api/v1/namespaces?${query}` },
          {
            code: 400,
            reason: "BadRequest",
            message: `invalid timeout specified in the request URL - time: ${why}`,
          },
        );
      }
      const maps = `/api/v1/namespaces/${context.namespace}/configmaps`;
      const requests = [
        { path: "/version" },
        { path: "/openapi/v2" },
        { path: "/nothing" },
        { path: "/apis/nothing.example.com/v1/things" },
        { path: `${maps}/a`, headers: { authorization: "Bearer wrong" } },
        { method: "POST" as const, path: maps, body: {} },
        { method: "PUT" as const, path: `${maps}/a`, body: {} },
        { method: "PATCH" as const, path: `${maps}/a`, body: {} },
        { method: "DELETE" as const, path: `${maps}/a` },
        { method: "DELETE" as const, path: maps },
      ];
      for (const request of requests) {
        const path = `${request.path}?timeout=x`;
        await expectRefusal(context, { ...request, path }, { code: 400, reason: "BadRequest" });
      }
      for (const timeout of ["0", "", "-5s", "%2B5s", "1.5h2m", "9223372036s", "30s&timeout=x"]) {
        const response = await rawRequest(context, { path: `/version?timeout=${timeout}` });
        assert.equal(response.status, 200, timeout);
      }
    },
  },
  {
    id: "timeout-of-watches",
    name: "a watch accepts any timeout",
    async run(context) {
      const path = `/api/v1/namespaces/${context.namespace}/configmaps?watch=1&timeoutSeconds=1&timeout=x`;
      const response = context.whileTimePasses(rawRequest(context, { path }));
      assert.equal((await response).status, 200);
    },
  },
  {
    id: "tables-of-operations",
    name: "reviews and operations on objects can be returned as metadata but not as tables",
    async run(context) {
      const { client, namespace } = context;
      await client.resource(Pod, namespace).create(pod("p"));
      await client.resource(ServiceAccount, namespace).create({ metadata: { name: "sa" } });
      const inNamespace = `/api/v1/namespaces/${namespace}`;
      const attributes = { verb: "get", resource: "pods", namespace };
      const reviews = "/apis/authorization.k8s.io/v1";
      const requested = { resourceAttributes: attributes };
      const operations = [
        [`${reviews}/subjectaccessreviews`, { spec: { user: "a", ...requested } }],
        [`${reviews}/selfsubjectaccessreviews`, { spec: requested }],
        [`${reviews}/selfsubjectrulesreviews`, { spec: { namespace } }],
        [
          `${reviews}/namespaces/${namespace}/localsubjectaccessreviews`,
          { spec: { user: "a", ...requested } },
        ],
        ["/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token: "x" } }],
        ["/apis/authentication.k8s.io/v1/selfsubjectreviews", {}],
        [`${inNamespace}/serviceaccounts/sa/token`, { spec: {} }],
        [`${inNamespace}/pods/p/eviction?dryRun=All`, { metadata: { name: "p" } }],
      ] as const;
      for (const [path, body] of operations) {
        const request = { method: "POST" as const, path, body };
        await expectRefusal(
          context,
          { ...request, accept: table },
          { code: 406, reason: "NotAcceptable" },
        );
        const { status } = await rawRequest(context, { ...request, accept: metadataOnly });
        assert.equal(status, 201, path);
        const either = await rawRequest(context, {
          ...request,
          accept: `${table},application/json`,
        });
        assert.equal(either.status, 201, path);
      }
      for (const part of ["ephemeralcontainers", "resize"]) {
        const path = `${inNamespace}/pods/p/${part}`;
        await expectRefusal(context, { path, accept: table }, { code: 406 });
      }
      for (const path of [`${inNamespace}/pods/p/status`, `${inNamespace}/pods/p`]) {
        const response = await rawRequest(context, { path, accept: table });
        assert.equal(response.json()["kind"], "Table");
      }
    },
  },
  {
    id: "swagger-of-open-definitions",
    name: "OpenAPI v2 describes a kind that preserves unknown fields as an object, and open fields without their type",
    needs: ["crd"],
    async run(context) {
      const open = { "x-kubernetes-preserve-unknown-fields": true };
      const nullable = { type: "string", nullable: true };
      const properties = {
        any: { type: "object", ...open, required: ["a"], properties: { a: nullable } },
        embedded: { type: "object", ...open, "x-kubernetes-embedded-resource": true },
        list: { type: "array", ...open, items: { type: "string" } },
        text: { type: "string", ...open },
        maybe: {
          type: "object",
          required: ["x", "y"],
          properties: { x: nullable, y: { type: "string" } },
        },
        never: { type: "object", required: ["x"], properties: { x: nullable } },
      };
      await customResource(
        context,
        customDefinition("Bag", [version({ type: "object", ...open, properties })]),
      );
      await customResource(
        context,
        customDefinition("Box", [version({ type: "object", properties })]),
      );
      const prefix = `${customGroup.split(".").reverse().join(".")}.v1`;
      for (; ; context.signal.throwIfAborted()) {
        const { definitions = {} } = (await rawRequest(context, { path: "/openapi/v2" })).json<{
          definitions?: Record<string, { properties?: Record<string, unknown> }>;
        }>();
        const [bag, box] = [definitions[`${prefix}.Bag`], definitions[`${prefix}.Box`]];
        if (bag === undefined || box === undefined) {
          // A real server publishes a definition a moment later.
          continue;
        }
        const kind = { group: customGroup, version: "v1", kind: "Bag" };
        assert.deepEqual(bag, { type: "object", "x-kubernetes-group-version-kind": [kind] });
        const { apiVersion: _, kind: __, metadata: ___, ...own } = box.properties ?? {};
        assert.deepEqual(own, {
          any: { ...open, required: ["a"] },
          embedded: { ...open, "x-kubernetes-embedded-resource": true },
          list: open,
          text: { type: "string", ...open },
          maybe: { type: "object", required: ["y"], properties: { x: {}, y: { type: "string" } } },
          never: { type: "object", properties: { x: {} } },
        });
        return;
      }
    },
  },
];
