import assert from "node:assert/strict";
import type { Live } from "@typekube/api";
import { Deployment } from "@typekube/api/apps/v1";
import { HorizontalPodAutoscaler as ScalerV1 } from "@typekube/api/autoscaling/v1";
import { HorizontalPodAutoscaler as ScalerV2 } from "@typekube/api/autoscaling/v2";
import { ConfigMap } from "@typekube/api/core/v1";
import {
  csaUpgrade,
  jsonPatch,
  mergePatch,
  resetManagedFields,
  strategicPatch,
} from "@typekube/client";
import {
  applyConflicts,
  isApplyConflict,
  pathsOfFieldSet,
  printFieldPath,
  readFieldsV1,
  writeFieldsV1,
} from "@typekube/core";
import type { ConformanceCase } from "../conformance-case.js";
import { expectFailure } from "../support/expect-failure.js";
import { configMap, deployment } from "../support/objects.js";
import { expectRefusal, rawRequest } from "../support/raw-request.js";

const m1 = { fieldManager: "m1" };
const m2 = { fieldManager: "m2" };

/** Returns the owners of fields in `data`, as `manager operation: keys`. */
function owners(object: Live<ConfigMap>): string[] {
  return (object.metadata.managedFields ?? []).map(({ manager, operation, fieldsV1 }) => {
    const fields = (fieldsV1 ?? {}) as { readonly "f:data"?: Record<string, unknown> };
    const keys = Object.keys(fields["f:data"] ?? {}).filter((key) => key !== ".");
    return `${manager} ${operation}: ${keys.join(" ")}`;
  });
}

/** Cases for field ownership with server-side apply, and for conflicts. */
export const fieldOwnership: readonly ConformanceCase[] = [
  {
    id: "SSA3",
    name: "a write without a field manager is recorded under the prefix of its User-Agent",
    async run(context) {
      const response = await rawRequest(context, {
        method: "POST",
        path: `/api/v1/namespaces/${context.namespace}/configmaps`,
        userAgent: "my-controller/v1.2 (linux)",
        body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { k: "v" } },
      });
      const created = response.json<Live<ConfigMap>>();
      assert.deepEqual(owners(created), ["my-controller Update: f:k"]);
      // Without a field manager, a client sends its own name, with and without a socket.
      const own = context.client.resource(ConfigMap, context.namespace);
      const plain = await own.create({ metadata: { name: "b" }, data: { k: "v" } });
      assert.deepEqual(owners(plain), ["typekube Update: f:k"]);
    },
  },
  {
    id: "SSA16",
    name: "a managedFields entry has manager, operation, apiVersion, time and fields",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const applied = await configMaps.apply(
        { metadata: { name: "a", labels: { l: "x" } }, data: { k: "v" } },
        m1,
      );
      const [entry, ...rest] = applied.metadata.managedFields ?? [];
      assert.equal(rest.length, 0);
      const { time, ...fixed } = entry ?? {};
      assert.match(time ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      assert.deepEqual(fixed, {
        manager: "m1",
        operation: "Apply",
        apiVersion: "v1",
        fieldsType: "FieldsV1",
        fieldsV1: { "f:data": { "f:k": {} }, "f:metadata": { "f:labels": { "f:l": {} } } },
      });
    },
  },
  {
    id: "SSA6",
    name: "an empty apply removes all fields that only its manager owned",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(configMap("a", { kept: "1" }), { fieldManager: "other" });
      await configMaps.apply(configMap("a", { k: "v" }), m1);
      const given = await configMaps.apply({ metadata: { name: "a" } }, m1);
      assert.deepEqual(given.data, { kept: "1" });
      assert.deepEqual(owners(given), ["other Update: f:kept"]);
    },
  },
  {
    id: "SSA8",
    name: "applying another value to a field of another manager responds with Conflict, naming field and manager",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.apply(configMap("a", { k: "1" }), m1);
      await expectFailure(configMaps.apply(configMap("a", { k: "2" }), m2), {
        code: 409,
        reason: "Conflict",
        message: 'Apply failed with 1 conflict: conflict with "m1": .data.k',
        causes: [
          { reason: "FieldManagerConflict", message: 'conflict with "m1"', field: ".data.k" },
        ],
      });
      assert.deepEqual((await configMaps.get("a")).data, { k: "1" });
    },
  },
  {
    id: "SSA8-many",
    name: "Conflict lists every field and manager",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.apply(configMap("a", { one: "1" }), m1);
      await configMaps.apply(configMap("a", { two: "1" }), m2);
      const failing = configMaps.apply(configMap("a", { one: "2", two: "2" }), {
        fieldManager: "m3",
      });
      const { causes } = await expectFailure(failing, {
        code: 409,
        reason: "Conflict",
        message:
          /^Apply failed with 2 conflicts: conflicts with "m1":\n- \.data\.one\nconflicts with "m2":\n- \.data\.two$/,
      });
      assert.deepEqual(causes.map(({ field }) => field).sort(), [".data.one", ".data.two"]);
    },
  },
  {
    id: "SSA9",
    name: "force takes the field from all other managers",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.apply(configMap("a", { k: "1" }), m1);
      const forced = await configMaps.apply(configMap("a", { k: "2" }), { ...m2, force: true });
      assert.deepEqual(forced.data, { k: "2" });
      assert.deepEqual(owners(forced), ["m2 Apply: f:k"]);
    },
  },
  {
    id: "SSA34",
    name: "after a change by another manager, an apply responds with Conflict; with force it restores its value",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.apply(configMap("a", { k: "1" }), m1);
      await configMaps.update(configMap("a", { k: "2" }), { fieldManager: "somebody" });
      const again = configMaps.apply(configMap("a", { k: "1" }), m1);
      assert.ok(isApplyConflict(await again.catch((error: unknown) => error)));
      const forced = await configMaps.apply(configMap("a", { k: "1" }), { ...m1, force: true });
      assert.deepEqual(forced.data, { k: "1" });
      assert.deepEqual(owners(forced), ["m1 Apply: f:k"]);
    },
  },
  {
    id: "SSA9-other-patch",
    name: "force on a patch other than apply is rejected",
    async run(context) {
      await context.client.resource(ConfigMap, context.namespace).create(configMap("a"));
      const status = await expectRefusal(
        context,
        {
          method: "PATCH",
          path: `/api/v1/namespaces/${context.namespace}/configmaps/a?force=true`,
          contentType: "application/merge-patch+json",
          body: {},
        },
        { code: 422, reason: "Invalid" },
      );
      assert.deepEqual(status.details?.causes, [
        {
          reason: "FieldValueForbidden",
          message: "Forbidden: may not be specified for non-apply patch",
          field: "force",
        },
      ]);
    },
  },
  {
    id: "SSA10",
    name: "a shared field remains when one owner drops it",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.apply(configMap("a", { k: "1" }), m1);
      const shared = await configMaps.apply(configMap("a", { k: "1", mine: "1" }), m2);
      assert.deepEqual(owners(shared).sort(), ["m1 Apply: f:k", "m2 Apply: f:k f:mine"]);
      const dropped = await configMaps.apply(configMap("a", { mine: "1" }), m2);
      assert.deepEqual(dropped.data, { k: "1", mine: "1" });
      assert.deepEqual(owners(dropped).sort(), ["m1 Apply: f:k", "m2 Apply: f:mine"]);
    },
  },
  {
    id: "SSA12",
    name: "changing a shared field conflicts with its other owner",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.apply(configMap("a", { k: "1" }), m1);
      await configMaps.apply(configMap("a", { k: "1" }), m2);
      const { causes } = await expectFailure(configMaps.apply(configMap("a", { k: "2" }), m1), {
        code: 409,
        reason: "Conflict",
      });
      assert.deepEqual(
        causes.map(({ message }) => message),
        ['conflict with "m2"'],
      );
    },
  },
  {
    id: "SSA15",
    name: "an update takes ownership of the fields that it changes",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.apply(configMap("a", { one: "1", two: "1" }), m1);
      const patched = await configMaps.patch("a", mergePatch({ data: { two: "2" } }), m2);
      assert.deepEqual(owners(patched).sort(), ["m1 Apply: f:one", "m2 Update: f:two"]);
      const { causes } = await expectFailure(
        configMaps.apply(configMap("a", { one: "1", two: "1" }), m1),
        { code: 409, reason: "Conflict" },
      );
      assert.match(causes[0]?.message ?? "", /^conflict with "m2" using v1( at .*)?$/);
    },
  },
  {
    id: "SSA17",
    name: "an apply with managedFields is rejected",
    async run(context) {
      for (const managedFields of [[], [{}]]) {
        await expectRefusal(
          context,
          {
            method: "PATCH",
            path: `/api/v1/namespaces/${context.namespace}/configmaps/a?fieldManager=m1`,
            contentType: "application/apply-patch+yaml",
            body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", managedFields } },
          },
          { code: 400, reason: "BadRequest", message: "metadata.managedFields must be nil" },
        );
      }
    },
  },
  {
    id: "SSA19",
    name: "a list with one empty entry resets managedFields",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const reset = { metadata: { managedFields: [{}] } };
      const ways = {
        merge: () => configMaps.patch("a", mergePatch(reset)),
        json: () =>
          configMaps.patch(
            "a",
            jsonPatch([{ op: "replace", path: "/metadata/managedFields", value: [{}] }]),
          ),
        strategic: () => configMaps.patch("a", strategicPatch(reset)),
        update: () =>
          configMaps.update({ metadata: { name: "a", managedFields: [{}] }, data: { k: "1" } }),
      };
      for (const [way, run] of Object.entries(ways)) {
        await configMaps.apply(configMap("a", { k: "1" }), { ...m1, force: true });
        assert.equal((await run()).metadata.managedFields, undefined, way);
      }
    },
  },
  {
    id: "SSA20",
    name: "an update without managedFields keeps them, an update with an empty list resets them",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const applied = await configMaps.apply(configMap("a", { k: "1" }), m1);
      const { managedFields, ...metadata } = applied.metadata;
      const kept = await configMaps.update({ ...applied, metadata });
      assert.deepEqual(kept.metadata.managedFields, managedFields);
      const reset = await configMaps.update({
        ...applied,
        metadata: { ...metadata, managedFields: [] },
      });
      assert.equal(reset.metadata.managedFields, undefined);
    },
  },
  {
    id: "SSA21",
    name: "after a reset, the next apply conflicts with before-first-apply",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.apply(configMap("a", { k: "1" }), m1);
      await configMaps.patch("a", mergePatch({ metadata: { managedFields: [{}] } }));
      const { causes } = await expectFailure(configMaps.apply(configMap("a", { k: "2" }), m1), {
        code: 409,
        reason: "Conflict",
      });
      assert.match(causes[0]?.message ?? "", /^conflict with "before-first-apply" using v1/);
    },
  },
  {
    id: "SSA38",
    name: "a field is handed over by sharing it and then dropping it",
    async run({ client, namespace }) {
      const deployments = client.resource(Deployment, namespace);
      await deployments.apply(deployment("a", 3), m1);
      const replicas = { metadata: { name: "a" }, spec: { replicas: 3 } };
      await deployments.apply(replicas, { fieldManager: "scaler" });
      const { replicas: _, ...spec } = deployment("a").spec as NonNullable<Deployment["spec"]>;
      const left = await deployments.apply({ ...deployment("a"), spec }, m1);
      assert.equal(left.spec?.replicas, 3);
      const scaled = await deployments.apply(
        { metadata: { name: "a" }, spec: { replicas: 4 } },
        { fieldManager: "scaler" },
      );
      assert.equal(scaled.spec?.replicas, 4);
    },
  },
  {
    id: "SSA40",
    name: "an apply of the status has its own managedFields entry",
    async run({ client, namespace }) {
      const deployments = client.resource(Deployment, namespace);
      await deployments.apply(deployment("a"), m1);
      await deployments.status.apply(
        "a",
        { metadata: { name: "a" }, status: { observedGeneration: 1 } },
        m1,
      );
      const { metadata, status } = await deployments.get("a");
      assert.equal(status?.observedGeneration, 1);
      assert.deepEqual(
        metadata.managedFields?.map(({ manager, operation, subresource }) => ({
          manager,
          operation,
          subresource,
        })),
        [
          { manager: "m1", operation: "Apply", subresource: undefined },
          { manager: "m1", operation: "Apply", subresource: "status" },
        ],
      );
    },
  },
  {
    id: "SSA8-data",
    name: "applyConflicts returns manager, field as text and as path, and the current value",
    async run({ client, namespace }) {
      const deployments = client.resource(Deployment, namespace);
      const labels = { app: "a", "app.kubernetes.io/name": "one" };
      const first = deployment("a", 3);
      await deployments.apply({ ...first, metadata: { name: "a", labels } }, m1);
      await deployments.patch("a", mergePatch({ spec: { replicas: 4 } }), {
        fieldManager: "scaler",
      });
      const second = deployment("a", 5);
      second.metadata = { name: "a", labels: { ...labels, "app.kubernetes.io/name": "two" } };
      const [container] = second.spec?.template.spec?.containers ?? [];
      Object.assign(container ?? {}, { image: "registry.k8s.io/pause:0" });
      const error = await deployments.apply(second, m2).catch((caught: unknown) => caught);
      assert.ok(isApplyConflict(error));
      const live = await deployments.get("a");
      const conflicts = applyConflicts(error, live).map(({ time, ...rest }) => rest);
      const byPath = Object.fromEntries(conflicts.map((one) => [one.path, one]));
      assert.deepEqual(byPath, {
        ".metadata.labels.app.kubernetes.io/name": {
          manager: "m1",
          path: ".metadata.labels.app.kubernetes.io/name",
          fields: [{ field: "metadata" }, { field: "labels" }, { field: "app.kubernetes.io/name" }],
          value: "one",
        },
        ".spec.replicas": {
          manager: "scaler",
          apiVersion: "apps/v1",
          path: ".spec.replicas",
          fields: [{ field: "spec" }, { field: "replicas" }],
          value: 4,
        },
        '.spec.template.spec.containers[name="main"].image': {
          manager: "m1",
          path: '.spec.template.spec.containers[name="main"].image',
          fields: [
            { field: "spec" },
            { field: "template" },
            { field: "spec" },
            { field: "containers" },
            { keys: { name: "main" } },
            { field: "image" },
          ],
          value: "registry.k8s.io/pause:3.10",
        },
      });
      assert.equal("value" in (applyConflicts(error)[0] ?? {}), false);
    },
  },
  {
    id: "SSA11",
    name: "applying the current value resolves a conflict by sharing the field",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.apply(configMap("a", { k: "1" }), m1);
      const error = await configMaps
        .apply(configMap("a", { k: "2", mine: "1" }), m2)
        .catch((caught: unknown) => caught);
      const [conflict] = applyConflicts(error, await configMaps.get("a"));
      const shared = await configMaps.apply(
        configMap("a", { k: String(conflict?.value), mine: "1" }),
        m2,
      );
      assert.deepEqual(owners(shared).sort(), ["m1 Apply: f:k", "m2 Apply: f:k f:mine"]);
    },
  },
  {
    id: "SSA13",
    name: "an owner that omits a shared field leaves it; when the last owner omits it, the field is removed",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.apply(configMap("a", { k: "1" }), m1);
      await configMaps.apply(configMap("a", { k: "1" }), m2);
      const left = await configMaps.apply({ metadata: { name: "a" } }, m1);
      assert.deepEqual([left.data, owners(left)], [{ k: "1" }, ["m2 Apply: f:k"]]);
      const gone = await configMaps.apply({ metadata: { name: "a" } }, m2);
      assert.equal(gone.data, undefined);
    },
  },
  {
    id: "SSA16-print",
    name: "field sets that the server writes are read, printed and written back unchanged",
    async run({ client, namespace }) {
      const deployments = client.resource(Deployment, namespace);
      const made = await deployments.create(deployment("a", 2), m1);
      const labels = { "app.kubernetes.io/name": "a" };
      const finalizers = ["x.io/a"];
      await deployments.apply({ metadata: { name: "a", labels, finalizers } }, m2);
      const { metadata } = await deployments.get("a");
      for (const { fieldsV1, manager } of metadata.managedFields ?? []) {
        assert.equal(
          JSON.stringify(writeFieldsV1(readFieldsV1(fieldsV1))),
          JSON.stringify(sorted(fieldsV1)),
          manager,
        );
      }
      const printed = (manager: string) =>
        pathsOfFieldSet(
          readFieldsV1(metadata.managedFields?.find((one) => one.manager === manager)?.fieldsV1),
        ).map((path) => printFieldPath(path));
      assert.deepEqual(printed("m2"), [
        '.metadata.finalizers[="x.io/a"]',
        ".metadata.labels.app.kubernetes.io/name",
      ]);
      const all = printed("m1");
      assert.ok(all.includes('.spec.template.spec.containers[name="main"].image'), all.join());
      assert.ok(all.includes(".spec.replicas"), all.join());
      await deployments.patch("a", mergePatch({ metadata: { finalizers: null } }));
      assert.ok(made.metadata.managedFields);
    },
  },
  {
    id: "SSA19-helper",
    name: "resetManagedFields removes all entries, with a precondition on the resourceVersion if the object is given",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const applied = await configMaps.apply(configMap("a", { k: "1" }), m1);
      const reset = await configMaps.patch("a", resetManagedFields(applied));
      assert.equal(reset.metadata.managedFields, undefined);
      await configMaps.apply(configMap("a", { k: "2" }), { ...m1, force: true });
      await expectFailure(configMaps.patch("a", resetManagedFields(applied)), {
        code: 409,
        reason: "Conflict",
      });
      assert.equal(
        (await configMaps.patch("a", resetManagedFields())).metadata.managedFields,
        undefined,
      );
    },
  },
  {
    id: "SSA36-data",
    name: "a resourceVersion conflict is not an apply conflict",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const { metadata } = await configMaps.create(configMap("a"));
      await configMaps.patch("a", mergePatch({ data: { k: "1" } }));
      const stale = { name: "a", resourceVersion: metadata.resourceVersion };
      const error = await configMaps
        .apply({ metadata: stale }, { ...m1, force: true })
        .catch((caught: unknown) => caught);
      assert.equal(isApplyConflict(error), false);
      assert.deepEqual(applyConflicts(error), []);
    },
  },
  {
    id: "SSA37",
    name: "a handover of replicas to an autoscaler never changes them",
    async run({ client, namespace }) {
      const deployments = client.resource(Deployment, namespace);
      const full = deployment("a", 3);
      await deployments.apply(full, m1);
      const handover = { fieldManager: "handover-to-hpa" };
      const only = { metadata: { name: "a" }, spec: { replicas: 3 } };
      await deployments.apply(only, handover);
      const { replicas: _, ...spec } = full.spec as NonNullable<Deployment["spec"]>;
      const left = await deployments.apply({ ...full, spec }, m1);
      assert.equal(left.spec?.replicas, 3);
      await deployments.scale.patch("a", mergePatch({ spec: { replicas: 5 } }), {
        fieldManager: "hpa",
      });
      const { metadata, spec: now } = await deployments.get("a");
      assert.equal(now?.replicas, 5);
      const managers = metadata.managedFields?.map(({ manager }) => manager) ?? [];
      assert.equal(managers.includes("handover-to-hpa"), false);
      const again = await deployments.apply({ ...full, spec }, m1);
      assert.equal(again.spec?.replicas, 5);
    },
  },
  {
    id: "SSA40-scale",
    name: "an apply to the scale owns the replicas under that subresource, and conflicts with their manager",
    async run({ client, namespace }) {
      const deployments = client.resource(Deployment, namespace);
      await deployments.apply(deployment("a", 2), m1);
      const scale = (replicas: number) => ({ metadata: { name: "a" }, spec: { replicas } });
      const error = await deployments.scale.apply("a", scale(4), m2).catch((caught) => caught);
      const [conflict] = applyConflicts(error, await deployments.get("a"));
      assert.deepEqual(
        [conflict?.manager, conflict?.path, conflict?.value],
        ["m1", ".spec.replicas", 2],
      );
      const scaled = await deployments.scale.apply("a", scale(4), { ...m2, force: true });
      assert.equal(scaled.spec?.replicas, 4);
      const { metadata, spec } = await deployments.get("a");
      assert.equal(spec?.replicas, 4);
      const entry = metadata.managedFields?.find(({ manager }) => manager === "m2");
      assert.deepEqual(
        [entry?.operation, entry?.subresource, entry?.fieldsV1],
        ["Apply", "scale", { "f:spec": { "f:replicas": {} } }],
      );
    },
  },
  {
    id: "SSA41",
    name: "csaUpgrade takes over fields of client-side apply without a conflict",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const annotations = {
        "kubectl.kubernetes.io/last-applied-configuration": '{"data":{"k":"1","old":"1"}}',
      };
      const legacy = { fieldManager: "kubectl-client-side-apply" };
      await configMaps.create(
        { metadata: { name: "a", annotations }, data: { k: "1", old: "1" } },
        legacy,
      );
      await configMaps.patch("a", mergePatch({ data: { scaled: "1" } }), {
        fieldManager: "kubectl",
      });
      const intent = configMap("a", { k: "2" });
      const error = await configMaps.apply(intent, m1).catch((caught: unknown) => caught);
      assert.deepEqual(
        applyConflicts(error).map(({ manager, path }) => [manager, path]),
        [["kubectl-client-side-apply", ".data.k"]],
      );
      const read = await configMaps.get("a");
      const patch = csaUpgrade(read, { ssaManager: "m1" });
      assert.ok(patch);
      const upgraded = await configMaps.patch("a", patch);
      assert.deepEqual(upgraded.data, read.data);
      assert.deepEqual(owners(upgraded).sort(), [
        "kubectl Update: f:scaled",
        "m1 Apply: f:k f:old",
      ]);
      assert.equal(csaUpgrade(upgraded, { ssaManager: "m1" }), undefined);
      const applied = await configMaps.apply(intent, m1);
      assert.deepEqual(applied.data, { k: "2", scaled: "1" });
      assert.equal(applied.metadata.annotations, undefined);
      // A field that another manager has set to another value stays with that manager.
      const other = await configMaps
        .apply(configMap("a", { k: "2", scaled: "2" }), m1)
        .catch((caught: unknown) => caught);
      assert.equal(applyConflicts(other)[0]?.manager, "kubectl");
      // The patch applies to the resourceVersion that was read.
      await expectFailure(configMaps.patch("a", patch), { code: 409, reason: "Conflict" });
    },
  },
  {
    id: "SSA42",
    name: "a manager can apply in one apiVersion and then in another",
    async run({ client, namespace }) {
      const scalers = client.resource(ScalerV1, namespace);
      const target = { apiVersion: "apps/v1", kind: "Deployment", name: "a" };
      const metadata = { name: "a" };
      await scalers.apply({ metadata, spec: { scaleTargetRef: target, maxReplicas: 3 } }, m1);
      const newer = client.resource(ScalerV2, namespace);
      const applied = await newer.apply(
        { metadata, spec: { scaleTargetRef: target, maxReplicas: 4 } },
        m1,
      );
      assert.equal(applied.spec?.maxReplicas, 4);
      assert.deepEqual(
        applied.metadata.managedFields?.map(({ manager, apiVersion }) => [manager, apiVersion]),
        [["m1", "autoscaling/v2"]],
      );
    },
  },
];

/** Sorts the keys of `fieldsV1`; in some encodings servers write them in any order. */
function sorted(value: unknown): unknown {
  return typeof value === "object" && value !== null
    ? Object.fromEntries(
        Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, inner]) => [key, sorted(inner)]),
      )
    : value;
}
