import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { inspect } from "node:util";
import { ConfigMap, Pod, Secret } from "@typekube/api/core/v1";
import { mergePatch } from "@typekube/client";
import { contextOf } from "@typekube/client/internal";
import { isForbidden, isNotAcceptable, isUnauthorized, KubeError } from "@typekube/core";
import type { ConformanceCase } from "../conformance-case.js";
import { expectFailure } from "../support/expect-failure.js";
import { configMap } from "../support/objects.js";
import { expectRefusal, rawRequest } from "../support/raw-request.js";

function configMapsPath(namespace: string): string {
  return `/api/v1/namespaces/${namespace}/configmaps`;
}

const diagnosticsChannels = ["start", "response", "retry", "error", "end"].map(
  (event) => `typekube:request.${event}`,
);

/** Cases for error responses. */
export const errors: readonly ConformanceCase[] = [
  {
    id: "error-not-found",
    name: "NotFound names the object",
    async run({ client, namespace }) {
      const error = await expectFailure(client.resource(ConfigMap, namespace).get("nothing"), {
        code: 404,
        reason: "NotFound",
        message: 'configmaps "nothing" not found',
        details: { name: "nothing", kind: "configmaps" },
      });
      assert.equal(error.httpStatus, 404);
      // A server with an audit log and flow control adds more details about the request.
      assert.equal(error.request?.method, "GET");
      assert.equal(error.request?.path, `${configMapsPath(namespace)}/nothing`);
    },
  },
  {
    id: "error-of-a-secret",
    name: "the error of a patch that does not fit a Secret shows no values, nor do diagnostics channels",
    async run({ client, namespace }) {
      const secrets = client.resource(Secret, namespace);
      const canary = Buffer.from("canary").toString("base64");
      await secrets.create({ metadata: { name: "a" }, data: { password: canary } });
      const seen: unknown[] = [];
      const listen = (message: unknown) => seen.push(message);
      for (const name of diagnosticsChannels) {
        subscribe(name, listen);
      }
      const patches = [
        { data: { other: 5 } },
        { data: { other: "!" } },
        { metadata: { labels: 5 } },
      ];
      try {
        for (const patch of patches) {
          const error = await expectFailure(secrets.patch("a", mergePatch(patch as never)), {
            code: 422,
            reason: "Invalid",
          });
          const shown = `${error.stack} ${inspect(error, { depth: 9 })} ${JSON.stringify(error)}`;
          assert.ok(!shown.includes(canary), shown);
          assert.match(error.message, /unmarshal|base64|restore|expected/);
        }
      } finally {
        for (const name of diagnosticsChannels) {
          unsubscribe(name, listen);
        }
      }
      assert.ok(seen.length > 0);
      assert.ok(!inspect(seen, { depth: 12 }).includes(canary));
    },
  },
  {
    id: "error-invalid",
    name: "Invalid has a cause for every invalid field",
    async run({ client, namespace }) {
      const bad = { metadata: { name: "a" }, spec: { containers: [] } };
      await expectFailure(client.resource(Pod, namespace).create(bad), {
        code: 422,
        reason: "Invalid",
        message: 'Pod "a" is invalid: spec.containers: Required value',
        details: { name: "a", kind: "Pod" },
        causes: [
          { reason: "FieldValueRequired", message: "Required value", field: "spec.containers" },
        ],
      });
    },
  },
  {
    id: "error-invalid-many",
    name: "Invalid lists several fields in one message",
    async run({ client, namespace }) {
      const bad = {
        metadata: { name: "a", labels: { "bad key!": "x" } },
        data: { "bad key!": "x" },
      };
      const failure = await expectFailure(client.resource(ConfigMap, namespace).create(bad), {
        code: 422,
        reason: "Invalid",
        message: /^ConfigMap "a" is invalid: \[metadata\.labels: .*, data\[bad key!\]: .*\]$/s,
      });
      assert.deepEqual(
        failure.causes.map(({ field }) => field),
        ["metadata.labels", "data[bad key!]"],
      );
    },
  },
  {
    id: "error-invalid-nested",
    name: "the field of a cause is a path with indices",
    async run({ client, namespace }) {
      const bad = {
        metadata: { name: "a" },
        spec: {
          containers: [
            { name: "one", image: "x" },
            { name: "two", image: "" },
          ],
        },
      };
      const { causes } = await expectFailure(client.resource(Pod, namespace).create(bad), {
        code: 422,
        reason: "Invalid",
      });
      assert.deepEqual(causes, [
        {
          reason: "FieldValueRequired",
          message: "Required value",
          field: "spec.containers[1].image",
        },
      ]);
    },
  },
  {
    id: "GRP8",
    name: "a body of another kind than that of the path responds with BadRequest",
    async run(context) {
      await expectRefusal(
        context,
        {
          method: "POST",
          path: configMapsPath(context.namespace),
          body: { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } },
        },
        {
          code: 400,
          reason: "BadRequest",
          message: /Secret in version "v1" cannot be handled as a ConfigMap/,
        },
      );
    },
  },
  {
    id: "error-bad-json",
    name: "a body that is not JSON responds with BadRequest",
    async run(context) {
      await expectRefusal(
        context,
        { method: "POST", path: configMapsPath(context.namespace), body: '{"metadata":' },
        { code: 400, reason: "BadRequest" },
      );
    },
  },
  {
    id: "error-wrong-type",
    name: "a value of the wrong type responds with BadRequest, which names the field",
    async run(context) {
      await expectRefusal(
        context,
        {
          method: "POST",
          path: configMapsPath(context.namespace),
          body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { k: 1 } },
        },
        {
          code: 400,
          reason: "BadRequest",
          message:
            'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into ' +
            "Go struct field ConfigMap.data of type string",
        },
      );
    },
  },
  {
    id: "ALT6",
    name: "a body of an unknown media type responds with UnsupportedMediaType",
    async run(context) {
      await expectRefusal(
        context,
        {
          method: "POST",
          path: configMapsPath(context.namespace),
          contentType: "text/plain",
          body: "hello",
        },
        {
          code: 415,
          reason: "UnsupportedMediaType",
          message:
            /^the body of the request was in an unknown format - accepted media types include: application\/json, application\/yaml, application\/vnd\.kubernetes\.protobuf/,
        },
      );
    },
  },
  {
    id: "ALT4",
    name: "a request that accepts no supported media type responds with NotAcceptable",
    async run(context) {
      const path = configMapsPath(context.namespace);
      for (const accept of ["text/html", "application/*", "application/vnd.unknown"]) {
        await expectRefusal(
          context,
          { path, accept },
          {
            code: 406,
            reason: "NotAcceptable",
            message:
              /^406: Not Acceptable\n\nAvailable representations: application\/json, application\/yaml/,
          },
        );
      }
      await expectRefusal(
        context,
        { path, accept: "application/json;as=Nothing;g=meta.k8s.io;v=v1" },
        {
          code: 406,
          reason: "NotAcceptable",
          message:
            /^only the following media types are accepted: application\/json, application\/yaml/,
        },
      );
    },
  },
  {
    id: "ALT5",
    name: "the client decodes errors in protobuf",
    async run(context) {
      const { client, namespace } = context;
      const error = await contextOf(client)
        .send({
          method: "GET",
          path: `/apis/conformance.typekube.dev/v1/namespaces/${namespace}/widgets`,
          headers: { accept: "application/vnd.kubernetes.protobuf" },
          mode: "call",
        })
        .then((response) => response.status);
      assert.equal(error, 406);
      const notFound = client
        .resource(ConfigMap, namespace)
        .get("nothing", { encoding: "protobuf" });
      await expectFailure(notFound, {
        code: 404,
        reason: "NotFound",
        message: 'configmaps "nothing" not found',
      });
      assert.equal(isNotAcceptable(new KubeError("NotAcceptable", "")), true);
    },
  },
  {
    id: "GRP22",
    name: "a method that the path does not support responds with MethodNotAllowed",
    async run(context) {
      const { namespace } = context;
      const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
      const requests = [
        { method: "POST" as const, path: "/api/v1/configmaps", body },
        { method: "PUT" as const, path: configMapsPath(namespace), body },
        { method: "POST" as const, path: `${configMapsPath(namespace)}/a`, body },
        { path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews" },
      ];
      for (const request of requests) {
        await expectRefusal(context, request, {
          code: 405,
          reason: "MethodNotAllowed",
          message: "the server does not allow this method on the requested resource",
        });
      }
    },
  },
  {
    id: "error-no-objects",
    name: "the path of an object of a kind without stored objects responds with NotFound for every method",
    async run(context) {
      const paths = [
        "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews/a",
        `/api/v1/namespaces/${context.namespace}/bindings/a`,
      ];
      for (const path of paths) {
        for (const method of ["GET", "DELETE", "PATCH", "PUT", "POST"] as const) {
          await expectRefusal(
            context,
            { method, path },
            {
              code: 404,
              reason: "NotFound",
              message: "the server could not find the requested resource",
            },
          );
        }
      }
    },
  },
  {
    id: "error-too-large",
    name: "a body above 3 MiB responds with RequestEntityTooLarge",
    async run({ client, namespace }) {
      const huge = configMap("a", { k: "x".repeat(3 * 1024 * 1024) });
      await expectFailure(client.resource(ConfigMap, namespace).create(huge), {
        code: 413,
        reason: "RequestEntityTooLarge",
        message: "Request entity too large: limit is 3145728",
      });
    },
  },
  {
    id: "error-config-map-too-large",
    name: "a ConfigMap above 1 MiB is rejected",
    async run({ client, namespace }) {
      const large = configMap("a", { k: "x".repeat(1024 * 1024 + 1) });
      const { causes } = await expectFailure(client.resource(ConfigMap, namespace).create(large), {
        code: 422,
        reason: "Invalid",
      });
      assert.deepEqual(
        causes.map(({ reason }) => reason),
        ["FieldValueTooLong"],
      );
    },
  },
  {
    id: "GRP28",
    name: "a path segment after a collection is the name of an object, not a subresource",
    async run(context) {
      await expectRefusal(
        context,
        { path: `/api/v1/namespaces/${context.namespace}/pods/status` },
        { code: 404, reason: "NotFound", message: 'pods "status" not found' },
      );
    },
  },
  {
    id: "error-status-shape",
    name: "an error response is a Status with kind, reason, details and code",
    async run(context) {
      const path = `${configMapsPath(context.namespace)}/nothing`;
      assert.deepEqual((await rawRequest(context, { path })).json(), {
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Failure",
        message: 'configmaps "nothing" not found',
        reason: "NotFound",
        details: { name: "nothing", kind: "configmaps" },
        code: 404,
      });
    },
  },
  {
    id: "error-forbidden",
    name: "Forbidden names the user, the verb, the resource and the namespace",
    needs: ["users"],
    async run({ namespace, clientOf }) {
      await using viewer = await clientOf("viewer");
      const configMaps = viewer.resource(ConfigMap, namespace);
      const failing = configMaps.list();
      await expectFailure(failing, {
        code: 403,
        reason: "Forbidden",
        message: `configmaps is forbidden: User "viewer" cannot list resource "configmaps" in API group "" in the namespace "${namespace}"`,
        details: { kind: "configmaps" },
      });
      await assert.rejects(configMaps.create(configMap("a")), isForbidden);
      await assert.rejects(configMaps.get("a"), isForbidden);
      await assert.rejects(configMaps.delete("a"), isForbidden);
    },
  },
  {
    id: "error-forbidden-cluster",
    name: "Forbidden for all namespaces names the cluster scope",
    needs: ["users"],
    async run({ clientOf }) {
      await using viewer = await clientOf("viewer");
      await expectFailure(viewer.resource(Pod).list(), {
        code: 403,
        reason: "Forbidden",
        message:
          'pods is forbidden: User "viewer" cannot list resource "pods" in API group "" at the cluster scope',
      });
    },
  },
  {
    id: "error-unauthorized",
    name: "an unknown token responds with Unauthorized",
    needs: ["users"],
    async run({ namespace, clientOf }) {
      await using stranger = await clientOf("stranger");
      await assert.rejects(stranger.resource(ConfigMap, namespace).list(), isUnauthorized);
    },
  },
];
