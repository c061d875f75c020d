import assert from "node:assert/strict";
import type { KubeObject } from "@typekube/api";
import type { Deployment } from "@typekube/api/apps/v1";
import type { ConformanceCase, ConformanceContext } from "../conformance-case.js";
import {
  customDefinition,
  customGroup,
  customResource,
  version,
} from "../support/custom-resources.js";
import { deployment } from "../support/objects.js";
import { expectRefusal, type RawRequest, rawRequest } from "../support/raw-request.js";

interface Shown extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
}

const mergePatch = "application/merge-patch+json";
const jsonPatch = "application/json-patch+json";
const strategicPatch = "application/strategic-merge-patch+json";
const applyPatch = "application/apply-patch+yaml";

const nullable = customDefinition("Nullable", [
  version({ type: "object", "x-kubernetes-preserve-unknown-fields": true }),
]);

async function ask<T = Shown>(context: ConformanceContext, request: RawRequest): Promise<T> {
  const response = await rawRequest(context, request);
  assert.ok(response.status < 300, response.text);
  return response.json<T>();
}

function configMapsOf({ namespace }: ConformanceContext): string {
  return `/api/v1/namespaces/${namespace}/configmaps`;
}

function ownedBy(manager: string, { metadata }: Shown): unknown {
  return metadata?.managedFields?.find((entry) => entry.manager === manager)?.fieldsV1;
}

/**
 * Cases for null as a value in a map or list: it becomes the zero value of its type, except in a patch, where null
 * removes.
 */
export const nullValues: readonly ConformanceCase[] = [
  ...["json", "yaml"].map(
    (encoding): ConformanceCase => ({
      id: `null-created-${encoding}`,
      name: `null as a map value in ${encoding} is stored as the empty string, in data, labels and annotations`,
      async run(context) {
        const metadata = { name: "a", labels: { a: null, b: "x" }, annotations: { c: null } };
        const text = JSON.stringify({
          metadata,
          data: { k: null, l: "z" },
          binaryData: { m: null },
        });
        const created = await ask(context, {
          method: "POST",
          path: `${configMapsOf(context)}?fieldManager=maker&fieldValidation=Strict`,
          contentType: `application/${encoding}`,
          body: text,
        });
        assert.deepEqual(created.data, { k: "", l: "z" });
        assert.deepEqual(created.binaryData, { m: "" });
        assert.deepEqual(created.metadata?.labels, { a: "", b: "x" });
        assert.deepEqual(created.metadata?.annotations, { c: "" });
        assert.deepEqual(ownedBy("maker", created), {
          "f:binaryData": { ".": {}, "f:m": {} },
          "f:data": { ".": {}, "f:k": {}, "f:l": {} },
          "f:metadata": {
            "f:annotations": { ".": {}, "f:c": {} },
            "f:labels": { ".": {}, "f:a": {}, "f:b": {} },
          },
        });
      },
    }),
  ),
  {
    id: "null-patched",
    name: "null removes a key in a merge and a strategic patch; in a JSON patch it sets the empty string",
    async run(context) {
      const path = configMapsOf(context);
      const body = { metadata: { name: "a" }, data: { k: "1", l: "2", m: "3" } };
      await ask(context, { method: "POST", path, body });
      const patch = (contentType: string, change: unknown) =>
        ask(context, { method: "PATCH", path: `${path}/a`, contentType, body: change });
      assert.deepEqual((await patch(mergePatch, { data: { k: null, z: null } })).data, {
        l: "2",
        m: "3",
      });
      assert.deepEqual((await patch(strategicPatch, { data: { l: null } })).data, { m: "3" });
      const added = await patch(jsonPatch, [{ op: "add", path: "/data/n", value: null }]);
      assert.deepEqual(added.data, { m: "3", n: "" });
    },
  },
  {
    id: "null-applied",
    name: "an apply stores null as the empty string, which its manager owns",
    async run(context) {
      const apply = (data: object) =>
        ask(context, {
          method: "PATCH",
          path: `${configMapsOf(context)}/a?fieldManager=applier`,
          contentType: applyPatch,
          body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data },
        });
      assert.deepEqual((await apply({ k: null, l: "x" })).data, { k: "", l: "x" });
      const again = await apply({ k: null, l: null });
      assert.deepEqual(again.data, { k: "", l: "" });
      assert.deepEqual(ownedBy("applier", again), { "f:data": { "f:k": {}, "f:l": {} } });
    },
  },
  {
    id: "null-applied-fields",
    name: "a field applied as null is removed or reset to its default, and conflicts with its other managers",
    async run(context) {
      const { spec } = deployment("a");
      const template = (container: object) => ({
        ...spec?.template,
        spec: { containers: [{ ...spec?.template?.spec?.containers[0], ...container }] },
      });
      const apply = (manager: string, more: object, container: object = {}) =>
        rawRequest(context, {
          method: "PATCH",
          path: `/apis/apps/v1/namespaces/${context.namespace}/deployments/a?fieldManager=${manager}`,
          contentType: applyPatch,
          body: {
            apiVersion: "apps/v1",
            kind: "Deployment",
            metadata: { name: "a" },
            spec: { selector: spec?.selector, ...more, template: template(container) },
          },
        });
      const first = await apply(
        "one",
        { replicas: 3, strategy: { type: "Recreate" } },
        { tty: true },
      );
      assert.equal(first.status, 201, first.text);
      const other = await apply("two&force=false", { replicas: null }, { tty: null });
      assert.equal(other.status, 409);
      assert.deepEqual(
        other
          .json<{ details: { causes: { field: string }[] } }>()
          .details.causes.map(({ field }) => field)
          .sort(),
        [".spec.replicas", '.spec.template.spec.containers[name="main"].tty'],
      );
      const again = await apply("one", { replicas: null, strategy: null }, { tty: null });
      const object = again.json<Deployment>();
      assert.equal(object.spec?.replicas, 1);
      assert.equal(object.spec?.template.spec?.containers[0]?.tty, undefined);
      const owned = object.metadata?.managedFields?.find(({ manager }) => manager === "one");
      assert.match(JSON.stringify(owned?.fieldsV1), /"f:replicas":\{\}.*"f:tty":\{\}/);
    },
  },
  {
    id: "null-secret",
    name: "null in the data of a Secret is stored as zero bytes",
    async run(context) {
      const secret = await ask(context, {
        method: "POST",
        path: `/api/v1/namespaces/${context.namespace}/secrets`,
        body: { metadata: { name: "a" }, data: { k: null }, stringData: { s: null } },
      });
      assert.deepEqual(secret.data, { k: "", s: "" });
    },
  },
  {
    id: "null-other-types",
    name: "null is 0 as a quantity, the empty string in a list of strings, an empty object in a list of objects",
    async run(context) {
      const quota = await ask<{ spec: { hard: object } }>(context, {
        method: "POST",
        path: `/api/v1/namespaces/${context.namespace}/resourcequotas`,
        body: { metadata: { name: "a" }, spec: { hard: { cpu: null, pods: "1" } } },
      });
      assert.deepEqual(quota.spec.hard, { cpu: "0", pods: "1" });
      const container = { name: "c", image: "i", command: [null, "b"] };
      const pod = await ask<{
        spec: { containers: { command: string[] }[]; nodeSelector: object };
      }>(context, {
        method: "POST",
        path: `/api/v1/namespaces/${context.namespace}/pods?dryRun=All`,
        body: {
          metadata: { name: "a" },
          spec: { containers: [container], nodeSelector: { n: null } },
        },
      });
      assert.deepEqual(pod.spec.containers[0]?.command, ["", "b"]);
      assert.deepEqual(pod.spec.nodeSelector, { n: "" });
      const service: RawRequest = {
        method: "POST",
        path: `/api/v1/namespaces/${context.namespace}/services`,
        body: { metadata: { name: "a" }, spec: { ports: [null] } },
      };
      await expectRefusal(context, service, {
        code: 422,
        reason: "Invalid",
        message: /spec\.ports\[0\]\.port: Invalid value: 0: must be between 1 and 65535, inclusive/,
      });
    },
  },
  {
    id: "null-finalizer",
    name: "null in finalizers or ownerReferences is rejected as empty",
    async run(context) {
      const wrong: RawRequest = {
        method: "POST",
        path: configMapsOf(context),
        body: { metadata: { name: "a", finalizers: [null], ownerReferences: [null] } },
      };
      const { details } = await expectRefusal(context, wrong, { code: 422, reason: "Invalid" });
      assert.deepEqual([...new Set(details?.causes?.map(({ field }) => field))].sort(), [
        "metadata.finalizers",
        "metadata.finalizers[0]",
        "metadata.ownerReferences[0].apiVersion",
        "metadata.ownerReferences[0].kind",
        "metadata.ownerReferences[0].name",
        "metadata.ownerReferences[0].uid",
      ]);
    },
  },
  {
    id: "null-custom",
    name: "custom: null as a label is stored as the empty string on create, patch and apply",
    needs: ["crd"],
    async run(context) {
      await customResource(context, nullable);
      const path = `/apis/${customGroup}/v1/namespaces/${context.namespace}/nullables`;
      const object = (name: string) => ({
        apiVersion: `${customGroup}/v1`,
        kind: "Nullable",
        metadata: { name, labels: { a: null, b: "x" } },
      });
      const created = await ask(context, { method: "POST", path, body: object("a") });
      assert.deepEqual(created.metadata?.labels, { a: "", b: "x" });
      const patched = await ask(context, {
        method: "PATCH",
        path: `${path}/a`,
        contentType: jsonPatch,
        body: [{ op: "add", path: "/metadata/labels", value: { c: null } }],
      });
      assert.deepEqual(patched.metadata?.labels, { c: "" });
      const applied = await ask(context, {
        method: "PATCH",
        path: `${path}/b?fieldManager=applier`,
        contentType: applyPatch,
        body: object("b"),
      });
      assert.deepEqual(applied.metadata?.labels, { a: "", b: "x" });
      assert.deepEqual(ownedBy("applier", applied), {
        "f:metadata": { "f:labels": { "f:a": {}, "f:b": {} } },
      });
    },
  },
];
