import assert from "node:assert/strict";
import type { Live } from "@typekube/api";
import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap } from "@typekube/api/core/v1";
import { json, merge, strategic } from "@typekube/client";
import type { ConformanceCase } from "../conformance-case.js";
import { expectFailure } from "../support/expect-failure.js";
import { configMap, deployment } from "../support/objects.js";
import { expectRefusal, rawRequest } from "../support/raw-request.js";

const m1 = { fieldManager: "m1" };
const m2 = { fieldManager: "m2" };

/** Who owns fields of `data`, as `manager operation: keys`. */
function owners(object: Live<ConfigMap>): string[] {
  return (object.metadata.managedFields ?? []).map(({ manager, operation, fieldsV1 }) => {
    const fields = (fieldsV1 ?? {}) as { readonly "f:data"?: Record<string, unknown> };
    const keys = Object.keys(fields["f:data"] ?? {}).filter((key) => key !== ".");
    return `${manager} ${operation}: ${keys.join(" ")}`;
  });
}

/** Server-side apply: who owns which field, and what happens when two want it. */
export const fieldOwnership: readonly ConformanceCase[] = [
  {
    id: "SSA3",
    name: "a write without a field manager is recorded by the front of its User-Agent",
    async run(context) {
      const answer = await rawRequest(context, {
        method: "POST",
        path: `/api/v1/namespaces/${context.namespace}/configmaps`,
        userAgent: "my-controller/v1.2 (linux)",
        body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { k: "v" } },
      });
      const created = answer.json<Live<ConfigMap>>();
      assert.deepEqual(owners(created), ["my-controller Update: f:k"]);
    },
  },
  {
    id: "SSA16",
    name: "an entry of managedFields has manager, operation, apiVersion, time and fields",
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
    name: "an empty apply gives up all that its manager owned",
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
    name: "another value for a field of another manager is a conflict that names both",
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
    name: "a conflict lists every field and manager",
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
    name: "force takes the field from all others",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.apply(configMap("a", { k: "1" }), m1);
      const forced = await configMaps.apply(configMap("a", { k: "2" }), { ...m2, force: true });
      assert.deepEqual(forced.data, { k: "2" });
      assert.deepEqual(owners(forced), ["m2 Apply: f:k"]);
    },
  },
  {
    id: "SSA9-other-patch",
    name: "force belongs to apply alone",
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
    name: "a field that is shared stays when one owner drops it",
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
    name: "a change of a shared field by one of its owners conflicts with the other",
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
    name: "an update takes the ownership of what it changes",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.apply(configMap("a", { one: "1", two: "1" }), m1);
      const patched = await configMaps.patch("a", merge({ data: { two: "2" } }), m2);
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
    name: "an applied object must not have managedFields",
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
        merge: () => configMaps.patch("a", merge(reset)),
        json: () =>
          configMaps.patch(
            "a",
            json([{ op: "replace", path: "/metadata/managedFields", value: [{}] }]),
          ),
        strategic: () => configMaps.patch("a", strategic(reset)),
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
    name: "an update without managedFields keeps them, an empty list resets them",
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
    name: "after a reset the next apply meets before-first-apply",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.apply(configMap("a", { k: "1" }), m1);
      await configMaps.patch("a", merge({ metadata: { managedFields: [{}] } }));
      const { causes } = await expectFailure(configMaps.apply(configMap("a", { k: "2" }), m1), {
        code: 409,
        reason: "Conflict",
      });
      assert.match(causes[0]?.message ?? "", /^conflict with "before-first-apply" using v1/);
    },
  },
  {
    id: "SSA38",
    name: "a field is handed over by sharing it and letting go",
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
    name: "an apply of the status has an entry of its own",
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
];
