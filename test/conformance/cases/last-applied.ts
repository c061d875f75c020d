import assert from "node:assert/strict";
import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap } from "@typekube/api/core/v1";
import { mergePatch } from "@typekube/client";
import { KubeError } from "@typekube/core";
import type { ConformanceCase, ConformanceContext } from "../conformance-case.js";
import { deployment } from "../support/objects.js";
import { rawRequest } from "../support/raw-request.js";

const annotation = "kubectl.kubernetes.io/last-applied-configuration";

/** Creates a ConfigMap as `kubectl apply` does: with its configuration in the annotation. */
function clientSide({ client, namespace }: ConformanceContext, name: string, text?: string) {
  const data = { color: "red", size: "big" };
  const configuration = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { annotations: {}, name, namespace },
    data,
  };
  const annotations = { [annotation]: text ?? `${JSON.stringify(configuration)}\n` };
  return client
    .resource(ConfigMap, namespace)
    .create(
      { metadata: { name, annotations }, data },
      { fieldManager: "kubectl-client-side-apply" },
    );
}

function applyData(
  context: ConformanceContext,
  name: string,
  data: object,
  { manager = "kubectl", metadata = {}, force = false } = {},
) {
  return rawRequest(context, {
    method: "PATCH",
    path: `/api/v1/namespaces/${context.namespace}/configmaps/${name}?fieldManager=${manager}${force ? "&force=true" : ""}`,
    contentType: "application/apply-patch+yaml",
    body: { kind: "ConfigMap", apiVersion: "v1", metadata: { ...metadata, name }, data },
  });
}

const conflicting = (response: { json(): Record<string, unknown> }) => {
  const { details } = response.json() as { details?: { causes?: { field: string }[] } };
  return (details?.causes ?? []).map(({ field }) => field).sort();
};

/** Cases for `kubectl apply --server-side` taking over from `kubectl apply`, by the latter's annotation. */
export const lastApplied: readonly ConformanceCase[] = [
  {
    id: "SSA41-kubectl",
    name: "an apply by kubectl takes over fields of client-side apply and updates the annotation",
    async run(context) {
      await clientSide(context, "a");
      const taken = await applyData(context, "a", { size: "<small>", color: "blue" });
      assert.equal(taken.status, 200, taken.text);
      const { metadata, data } = taken.json<ConfigMap>();
      assert.deepEqual(data, { color: "blue", size: "<small>" });
      assert.equal(
        metadata?.annotations?.[annotation],
        '{"apiVersion":"v1","data":{"color":"blue","size":"\\u003csmall\\u003e"},"kind":"ConfigMap","metadata":{"name":"a"}}\n',
      );
      assert.deepEqual(
        metadata?.managedFields?.map(({ manager, operation, fieldsV1 }) => [
          manager,
          operation,
          fieldsV1,
        ]),
        [
          ["kubectl", "Apply", { "f:data": { "f:color": {}, "f:size": {} } }],
          [
            "kubectl-client-side-apply",
            "Update",
            {
              "f:data": {},
              "f:metadata": { "f:annotations": { ".": {}, [`f:${annotation}`]: {} } },
            },
          ],
        ],
      );
    },
  },
  {
    id: "SSA41-others",
    name: "an apply by another manager conflicts with client-side apply and leaves the annotation unchanged",
    async run(context) {
      await clientSide(context, "a");
      const refused = await applyData(context, "a", { color: "blue" }, { manager: "other" });
      assert.equal(refused.status, 409);
      assert.deepEqual(conflicting(refused), [".data.color"]);
      const forced = { manager: "other", force: true };
      const response = await applyData(context, "a", { color: "blue" }, forced);
      assert.match(
        response.json<ConfigMap>().metadata?.annotations?.[annotation] ?? "",
        /"color":"red"/,
      );
    },
  },
  {
    id: "SSA41-changed",
    name: "only fields that still have the last applied value are taken over",
    async run(context) {
      await clientSide(context, "a");
      const maps = context.client.resource(ConfigMap, context.namespace);
      await maps.patch("a", mergePatch({ data: { size: "huge", extra: "x" } }), {
        fieldManager: "by-hand",
      });
      const refused = await applyData(context, "a", { color: "blue", size: "small", extra: "y" });
      assert.equal(refused.status, 409);
      assert.deepEqual(conflicting(refused), [".data.extra", ".data.size"]);
      const taken = await applyData(context, "a", { color: "blue" });
      assert.deepEqual(taken.json<ConfigMap>().data, { color: "blue", size: "huge", extra: "x" });
    },
  },
  {
    id: "SSA41-unreadable",
    name: "an annotation that does not describe this object in this version takes over nothing",
    async run(context) {
      const texts = [
        "nonsense",
        '{"apiVersion":"v2","kind":"ConfigMap","metadata":{"name":"b1"},"data":{"color":"red"}}',
        '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"b2"},"data":{"color":5}}',
        '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"b3"},"data":{"size":"big"}}',
      ];
      for (const [at, text] of texts.entries()) {
        await clientSide(context, `b${at}`, text);
        const refused = await applyData(context, `b${at}`, { color: "blue" });
        assert.deepEqual(conflicting(refused), [".data.color"], text);
        const forced = await applyData(context, `b${at}`, { color: "blue" }, { force: true });
        assert.equal(
          forced.json<ConfigMap>().metadata?.annotations?.[annotation],
          `{"apiVersion":"v1","data":{"color":"blue"},"kind":"ConfigMap","metadata":{"name":"b${at}"}}\n`,
        );
      }
    },
  },
  {
    id: "SSA41-annotation",
    name: "the annotation never contains itself, and is dropped when annotations become too large",
    async run(context) {
      await clientSide(context, "a");
      const own = { annotations: { [annotation]: "x", note: "n" } };
      const kept = await applyData(context, "a", { color: "red" }, { metadata: own, force: true });
      assert.equal(
        kept.json<ConfigMap>().metadata?.annotations?.[annotation],
        '{"apiVersion":"v1","data":{"color":"red"},"kind":"ConfigMap","metadata":{"annotations":{"note":"n"},"name":"a"}}\n',
      );
      const large = await applyData(context, "a", { color: "r".repeat(263_000) });
      assert.equal(large.status, 200, large.text);
      assert.deepEqual(large.json<ConfigMap>().metadata?.annotations, undefined);
    },
  },
  {
    id: "SSA41-typed",
    name: "a field that was scaled since client-side apply conflicts; the rest of a Deployment is taken over",
    async run({ client, namespace }) {
      const deployments = client.resource(Deployment, namespace);
      const wanted = {
        ...deployment("web"),
        apiVersion: "apps/v1",
        kind: "Deployment",
      } as const;
      const annotations = { [annotation]: JSON.stringify(wanted) };
      await deployments.create(
        { ...wanted, metadata: { ...wanted.metadata, annotations } },
        { fieldManager: "kubectl-client-side-apply" },
      );
      const paused = { ...wanted, spec: { ...wanted.spec, replicas: 7, minReadySeconds: 5 } };
      await deployments.apply(paused, { fieldManager: "kubectl" });
      await deployments.patch("web", mergePatch({ spec: { replicas: 9 } }), {
        fieldManager: "scaler",
      });
      await assert.rejects(
        deployments.apply(
          { ...paused, spec: { ...paused.spec, replicas: 3 } },
          { fieldManager: "kubectl" },
        ),
        (error) =>
          error instanceof KubeError &&
          error.causes.map(({ field }) => field).join() === ".spec.replicas",
      );
    },
  },
];
