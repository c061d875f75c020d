import assert from "node:assert/strict";
import { mergePatch } from "@typekube/client";
import type { KubeError } from "@typekube/core";
import type { ConformanceCase } from "../conformance-case.js";
import {
  customDefinition,
  customResource,
  rejectionCauses,
  version,
} from "../support/custom-resources.js";
import { gauges } from "../support/gauges.js";
import { rawRequest } from "../support/raw-request.js";

const apiVersion = "custom.typekube.dev/v1";

function gaugePath(namespace: string, rest = ""): string {
  return `/apis/${apiVersion}/namespaces/${namespace}/gauges${rest}`;
}

/** A kind whose status is an ordinary field. */
const plain = customDefinition("Plain", [
  version({ type: "object", "x-kubernetes-preserve-unknown-fields": true }),
]);

/** Cases for subresources and generations. */
export const customResourceParts: readonly ConformanceCase[] = [
  {
    id: "ES10-custom-status",
    name: "custom: with the subresource, only it writes the status, and the generation does not change",
    needs: ["crd"],
    async run(context) {
      const resource = await customResource(context, gauges);
      const created = await resource.create({
        metadata: { name: "a" },
        spec: { unit: "bar" },
        status: { replicas: 9 },
      });
      assert.equal(created["status"], undefined);
      const ignored = await resource.patch("a", mergePatch({ status: { replicas: 9 } }));
      assert.equal(ignored.metadata.resourceVersion, created.metadata.resourceVersion);
      const response = await rawRequest(context, {
        method: "PATCH",
        path: gaugePath(context.namespace, "/a/status"),
        contentType: "application/merge-patch+json",
        body: {
          metadata: { labels: { l: "x" } },
          spec: { unit: "psi" },
          status: { replicas: 2, foo: 1 },
        },
      });
      const written = response.json<typeof created>();
      assert.deepEqual(written["status"], { replicas: 2 });
      assert.deepEqual(written["spec"], created["spec"]);
      assert.equal(written.metadata.labels, undefined);
      assert.equal(written.metadata.generation, 1);
      const changed = await resource.patch("a", mergePatch({ spec: { unit: "psi" } }));
      assert.equal(changed.metadata.generation, 2);
      assert.deepEqual(changed["status"], { replicas: 2 });
    },
  },
  {
    id: "ES14-status-causes",
    name: "custom: a status is validated by its own schema",
    needs: ["crd"],
    async run(context) {
      const { namespace } = context;
      const resource = await customResource(context, gauges);
      await resource.create({ metadata: { name: "a" }, spec: { unit: "bar" } });
      const response = await rawRequest(context, {
        method: "PATCH",
        path: gaugePath(namespace, "/a/status"),
        contentType: "application/merge-patch+json",
        body: { status: { replicas: "x", phase: "off" } },
      });
      const { causes } = response.json<{ details: { causes: KubeError["causes"] } }>().details;
      assert.deepEqual(causes.map(({ field, message }) => `${field}: ${message}`).sort(), [
        ".status.replicas: Invalid value: 0: .status.replicas accessor error: x is of the type string, expected int64",
        'status.phase: Unsupported value: "off": supported values: "on"',
        'status.replicas: Invalid value: "string": replicas in body must be of type integer: "string"',
      ]);
    },
  },
  {
    id: "ES10-custom-plain",
    name: "custom: without the subresource, the status is an ordinary field",
    needs: ["crd"],
    async run(context) {
      const resource = await customResource(context, plain);
      const created = await resource.create({ metadata: { name: "a" }, status: { n: 1 } });
      assert.deepEqual(created["status"], { n: 1 });
      const changed = await resource.patch("a", mergePatch({ status: { n: 2 } }));
      assert.equal(changed.metadata.generation, 2);
      const path = `/apis/${apiVersion}/namespaces/${context.namespace}/plains/a/status`;
      assert.equal((await rawRequest(context, { path })).status, 404);
    },
  },
  {
    id: "ES11-custom-scale",
    name: "custom: a Scale is read and written through the paths of the definition",
    needs: ["crd"],
    async run(context) {
      const { namespace } = context;
      const resource = await customResource(context, gauges);
      await resource.create({ metadata: { name: "a" }, spec: { unit: "bar" } });
      const path = gaugePath(namespace, "/a/scale");
      const none = await rawRequest(context, { path });
      assert.deepEqual(
        [none.status, none.json()["message"]],
        [500, 'Internal error occurred: the spec replicas field ".spec.replicas" does not exist'],
      );
      const scale = (replicas: number) => ({
        kind: "Scale",
        apiVersion: "autoscaling/v1",
        metadata: { name: "a", namespace },
        spec: { replicas },
      });
      const put = await rawRequest(context, { method: "PUT", path, body: scale(3) });
      assert.equal(put.status, 200, put.text);
      await rawRequest(context, {
        method: "PATCH",
        path: gaugePath(namespace, "/a/status"),
        contentType: "application/merge-patch+json",
        body: { status: { replicas: 2, selector: "a=b" } },
      });
      const read = (await rawRequest(context, { path })).json();
      assert.deepEqual([read["kind"], read["apiVersion"]], ["Scale", "autoscaling/v1"]);
      assert.deepEqual(read["spec"], { replicas: 3 });
      assert.deepEqual(read["status"], { replicas: 2, selector: "a=b" });
      const object = await resource.get("a");
      assert.deepEqual(object["spec"], { unit: "bar", level: "low", replicas: 3 });
      assert.equal(object.metadata.generation, 2);
      const negative = await rawRequest(context, { method: "PUT", path, body: scale(-1) });
      assert.deepEqual(
        [negative.status, negative.json()["message"]],
        [
          422,
          'Gauge.custom.typekube.dev "a" is invalid: .spec.replicas: Invalid value: -1: should be a non-negative integer',
        ],
      );
    },
  },
  {
    id: "ES11-custom-scale-owner",
    name: "custom: the manager that scales owns the replicas, unless they were unset; then a patch must set them",
    needs: ["crd"],
    async run(context) {
      const { namespace } = context;
      const resource = await customResource(context, gauges);
      const scale = (name: string, body: object) =>
        rawRequest(context, {
          method: "PATCH",
          path: gaugePath(namespace, `/${name}/scale?fieldManager=scaler`),
          contentType: "application/merge-patch+json",
          body,
        });
      const ownersOf = async (name: string) => {
        const { metadata } = await resource.get(name);
        return metadata.managedFields
          ?.filter(({ manager }) => manager === "scaler")
          .map(({ subresource, fieldsV1, time }) => ({ subresource, fieldsV1, time }));
      };
      await resource.create({ metadata: { name: "a" }, spec: { unit: "bar", replicas: 1 } });
      assert.equal((await scale("a", { spec: { replicas: 4 } })).status, 200);
      const fieldsV1 = { "f:spec": { "f:replicas": {} } };
      assert.deepEqual(await ownersOf("a"), [{ subresource: "scale", fieldsV1, time: undefined }]);
      await resource.create({ metadata: { name: "b" }, spec: { unit: "bar" } });
      const empty = await scale("b", { metadata: { labels: { l: "x" } } });
      assert.deepEqual(
        [empty.status, empty.json()["message"]],
        [400, 'the spec replicas field ".spec.replicas" cannot be empty'],
      );
      assert.equal((await scale("b", { spec: { replicas: 4 } })).status, 200);
      assert.deepEqual(await ownersOf("b"), []);
    },
  },
  {
    id: "GRP28-custom",
    name: "custom: an undeclared subresource responds with NotFound or MethodNotAllowed for the object",
    needs: ["crd"],
    async run(context) {
      const resource = await customResource(context, gauges);
      await resource.create({ metadata: { name: "a" }, spec: { unit: "bar" } });
      const outcome = async (method: "DELETE" | "GET" | "POST", rest: string) => {
        const path = gaugePath(context.namespace, rest);
        const body = method === "POST" ? {} : undefined;
        const response = await rawRequest(context, { method, path, body });
        const { message, details } = response.json();
        return [response.status, message, details];
      };
      const kind = { group: "custom.typekube.dev", kind: "gauges" };
      assert.deepEqual(await outcome("GET", "/a/log"), [
        404,
        'gauges.custom.typekube.dev "a" not found',
        { name: "a", ...kind },
      ]);
      assert.deepEqual(await outcome("POST", "/a/status"), [
        405,
        'create is not supported on resources of kind "gauges.custom.typekube.dev"',
        kind,
      ]);
    },
  },
  {
    id: "GRP22-custom",
    name: "custom: only lists and watches have a path across all namespaces",
    needs: ["crd"],
    async run(context) {
      await customResource(context, gauges);
      const path = "/apis/custom.typekube.dev/v1/gauges";
      const statuses: Record<string, number> = {};
      for (const method of ["DELETE", "PATCH", "POST", "PUT"] as const) {
        const { status } = await rawRequest(context, { method, path, body: {} });
        statuses[method] = status;
      }
      assert.deepEqual(statuses, { DELETE: 404, PATCH: 404, POST: 404, PUT: 404 });
    },
  },
  {
    id: "ES14-finalizers",
    name: "custom: finalizers without a domain are accepted with a warning",
    needs: ["crd"],
    async run(context) {
      const resource = await customResource(context, gauges);
      const warnings: string[] = [];
      const finalizers = ["plain", "a.dotted", "typekube.dev/whole"];
      await resource.create(
        { metadata: { name: "a", finalizers }, spec: { unit: "bar" } },
        { onWarning: (text) => warnings.push(text) },
      );
      const advice = "to avoid accidental conflicts with other finalizer writers";
      assert.deepEqual(warnings.sort(), [
        `metadata.finalizers: "a.dotted": prefer a domain-qualified finalizer name including a path (/) ${advice}`,
        `metadata.finalizers: "plain": prefer a domain-qualified finalizer name ${advice}`,
      ]);
      await resource.patch("a", mergePatch({ metadata: { finalizers: null } }));
      const seen = await rejectionCauses(
        resource.create({
          metadata: { name: "b", finalizers: ["no good"] },
          spec: { unit: "bar" },
        }),
      );
      assert.match(
        seen[0] ?? "",
        /^metadata\.finalizers \| FieldValueInvalid \| Invalid value: "no good": name part/,
      );
    },
  },
];
