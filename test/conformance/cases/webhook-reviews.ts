import assert from "node:assert/strict";
import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap, Namespace } from "@typekube/api/core/v1";
import { mergePatch } from "typekube";
import type { ConformanceCase } from "../conformance-case.js";
import { coreRule, patching, registerHooks, rejection } from "../support/admission-hooks.js";
import { configMap, deployment } from "../support/objects.js";
import type { Review } from "../support/review-webhook.js";

const allowed = { allowed: true };
const meta = { apiVersion: "meta.k8s.io/v1" };

/** Cases for the reviews that admission webhooks get. */
export const webhookReviews: readonly ConformanceCase[] = [
  {
    id: "CT9-review-create",
    name: "the review of a new object is the object as sent, before mutation, and as stored, after it",
    needs: ["webhooks"],
    async run(context) {
      const { client, namespace } = context;
      await using mutating = await registerHooks(context, "mutating", [{}], () => allowed);
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(
        { metadata: { generateName: "a-" }, data: { a: "b" } },
        { fieldManager: "me", fieldValidation: "Strict" },
      );
      await mutating[Symbol.asyncDispose]();
      await using validating = await registerHooks(context, "validating", [{}], () => allowed);
      const created = await configMaps.create(configMap("c"), { dryRun: "All" });
      const [first, second] = [mutating, validating].map(({ reviews }) => shown(reviews[0]));
      assert.deepEqual(first, {
        kind: { group: "", version: "v1", kind: "ConfigMap" },
        resource: { group: "", version: "v1", resource: "configmaps" },
        requestKind: { group: "", version: "v1", kind: "ConfigMap" },
        requestResource: { group: "", version: "v1", resource: "configmaps" },
        namespace,
        operation: "CREATE",
        object: {
          keys: ["apiVersion", "data", "kind", "metadata"],
          metadata: ["generateName", "managedFields", "namespace"],
        },
        oldObject: null,
        dryRun: false,
        options: {
          kind: "CreateOptions",
          ...meta,
          fieldManager: "me",
          fieldValidation: "Strict",
        },
      });
      assert.deepEqual(second?.["object"], {
        keys: ["apiVersion", "kind", "metadata"],
        metadata: Object.keys(created.metadata ?? {}).sort(),
      });
      assert.deepEqual(second?.["options"], { kind: "CreateOptions", ...meta, dryRun: ["All"] });
      assert.equal(second?.["dryRun"], true);
      assert.equal(second?.["name"], "c");
    },
  },
  {
    id: "CT9-review-changes",
    name: "updates, patches, statuses, scales and deletions have reviews of their own",
    needs: ["webhooks"],
    async run(context) {
      const { client, namespace } = context;
      const deployments = client.resource(Deployment, namespace);
      await deployments.create(deployment("web"));
      const rule = {
        apiGroups: ["apps"],
        apiVersions: ["v1"],
        operations: ["*"],
        resources: ["deployments/*", "deployments"],
      };
      await using hooks = await registerHooks(
        context,
        "validating",
        [{ rules: [rule] }],
        () => allowed,
      );
      await deployments.patch("web", mergePatch({ metadata: { labels: { a: "b" } } }));
      await deployments.status.patch("web", mergePatch({ status: { observedGeneration: 1 } }));
      await deployments.scale.patch("web", mergePatch({ spec: { replicas: 3 } }));
      await deployments.delete("web", { propagationPolicy: "Background" });
      const found = hooks.reviews.map(({ request }) => [
        request["operation"],
        request["subResource"],
        (request["kind"] as { kind: string }).kind,
        request["name"],
        kindIn(request["object"]),
        kindIn(request["oldObject"]),
        request["options"],
      ]);
      const update = { kind: "UpdateOptions", ...meta };
      assert.deepEqual(found, [
        ["UPDATE", undefined, "Deployment", "web", "Deployment", "Deployment", update],
        ["UPDATE", "status", "Deployment", "web", "Deployment", "Deployment", update],
        ["UPDATE", "scale", "Scale", "web", "Scale", "Scale", update],
        [
          "DELETE",
          undefined,
          "Deployment",
          "web",
          undefined,
          "Deployment",
          { kind: "DeleteOptions", ...meta, propagationPolicy: "Background" },
        ],
      ]);
    },
  },
  {
    id: "CT9-as-sent",
    name: "mutating webhooks see objects as sent, validating ones as stored",
    needs: ["webhooks"],
    async run(context) {
      const { client, namespace } = context;
      const deployments = client.resource(Deployment, namespace);
      const rule = {
        apiGroups: ["apps"],
        apiVersions: ["v1"],
        operations: ["CREATE", "UPDATE"],
        resources: ["deployments/*", "deployments"],
      };
      const hooks = [{ rules: [rule, coreRule(["configmaps"])] }];
      const found: unknown[] = [];
      for (const type of ["mutating", "validating"] as const) {
        await using registered = await registerHooks(context, type, hooks, () => allowed);
        const { metadata, spec } = deployment(type);
        await deployments.create({ metadata, spec, status: { replicas: 7 } });
        await deployments.update({
          metadata: { ...metadata, labels: { a: "b" } },
          spec,
          status: { replicas: 8 },
        });
        await deployments.status.update(type, {
          metadata: { ...metadata, labels: { a: "c" } },
          spec: { ...spec, replicas: 9 },
          status: { observedGeneration: 1 },
        } as Deployment);
        found.push(...registered.reviews.map(({ request }) => partsOf(request["object"])));
      }
      const fresh = { hasUid: false, generation: undefined };
      const stored = { hasUid: true, generation: 1 };
      assert.deepEqual(found, [
        { ...fresh, labels: { app: "mutating" }, replicas: 1, status: { replicas: 7 } },
        { ...fresh, labels: { a: "b" }, replicas: 1, status: { replicas: 8 } },
        { ...fresh, labels: { a: "c" }, replicas: 9, status: { observedGeneration: 1 } },
        { ...stored, labels: { app: "validating" }, replicas: 1, status: {} },
        { ...stored, labels: { a: "b" }, replicas: 1, status: {} },
        { ...stored, labels: { a: "b" }, replicas: 1, status: { observedGeneration: 1 } },
      ]);
    },
  },
  {
    id: "CT9-scale",
    name: "a webhook changes the replicas that a Scale sets",
    needs: ["webhooks"],
    async run(context) {
      const { client, namespace } = context;
      const deployments = client.resource(Deployment, namespace);
      await deployments.create(deployment("web"));
      const rule = {
        apiGroups: ["apps"],
        apiVersions: ["v1"],
        operations: ["UPDATE"],
        resources: ["deployments/scale"],
      };
      const reply = () => patching({ op: "replace", path: "/spec/replicas", value: 5 });
      await using _ = await registerHooks(context, "mutating", [{ rules: [rule] }], reply);
      const scaled = await deployments.scale.patch("web", mergePatch({ spec: { replicas: 3 } }));
      assert.equal(scaled.spec?.replicas, 5);
      assert.equal((await deployments.get("web")).spec?.replicas, 5);
    },
  },
  {
    id: "CT9-ownership",
    name: "no manager owns fields that a webhook sets, after a create, an update and an apply",
    needs: ["webhooks"],
    async run(context) {
      const { client, namespace } = context;
      const configMaps = client.resource(ConfigMap, namespace);
      const rules = [coreRule(["configmaps"], ["CREATE", "UPDATE"])];
      const reply = () => patching({ op: "add", path: "/data/hook", value: "yes" });
      await using _ = await registerHooks(context, "mutating", [{ rules }], reply);
      const owned = ({ metadata }: ConfigMap) =>
        metadata?.managedFields?.map(({ manager, operation, fieldsV1 }) => [
          manager,
          operation,
          fieldsV1,
        ]);
      const data = (...keys: readonly string[]) =>
        Object.fromEntries(keys.map((key) => [`f:${key}`, {}]));
      const created = await configMaps.create(configMap("a", { b: "1" }), { fieldManager: "me" });
      assert.deepEqual(created.data, { b: "1", hook: "yes" });
      assert.deepEqual(owned(created), [["me", "Update", { "f:data": { ".": {}, ...data("b") } }]]);
      const change = mergePatch({ data: { c: "2" } });
      const patched = await configMaps.patch("a", change, { fieldManager: "you" });
      assert.deepEqual(owned(patched)?.[1], ["you", "Update", { "f:data": data("c") }]);
      const applied = await configMaps.apply(
        { metadata: { name: "a" }, data: { d: "3" } },
        { fieldManager: "applier" },
      );
      assert.deepEqual(applied.data, { b: "1", c: "2", d: "3", hook: "yes" });
      assert.deepEqual(owned(applied)?.[0], ["applier", "Apply", { "f:data": data("d") }]);
    },
  },
  {
    id: "CT9-warnings",
    name: "warnings of webhooks reach the client, also those of a denial",
    needs: ["webhooks"],
    async run(context) {
      let isAllowed = true;
      const reply = (_review: Review, path: string) => ({
        allowed: isAllowed,
        warnings: [`warning of ${path}`, "twice"],
      });
      await using _ = await registerHooks(context, "mutating", [{}, {}], reply);
      const warnings: string[] = [];
      const onWarning = (text: string) => {
        warnings.push(text);
      };
      const configMaps = context.client.resource(ConfigMap, context.namespace);
      await configMaps.create(configMap("a"), { onWarning });
      assert.deepEqual(warnings, ["warning of /0", "twice", "warning of /1"]);
      isAllowed = false;
      await rejection(configMaps.create(configMap("b"), { onWarning }));
      assert.deepEqual(warnings.slice(3), ["warning of /0", "twice"]);
    },
  },
  {
    id: "CT9-namespace",
    name: "the namespace of a Namespace in a review is its own name",
    needs: ["webhooks"],
    async run(context) {
      const { client, namespace } = context;
      const rules = [
        coreRule(["configmaps"]),
        coreRule(["namespaces"], ["UPDATE"], { scope: "Cluster" }),
      ];
      await using hooks = await registerHooks(context, "validating", [{ rules }], () => allowed);
      await client
        .resource(Namespace)
        .patch(namespace, mergePatch({ metadata: { labels: { a: "b" } } }));
      assert.deepEqual(
        hooks.reviews.map(({ request }) => [request["name"], request["namespace"]]),
        [[namespace, namespace]],
      );
    },
  },
];

/** Returns the request of a review without what differs between servers, and objects as lists of their keys. */
function shown(review: Review | undefined): Record<string, unknown> | undefined {
  if (review === undefined) {
    return undefined;
  }
  const { uid, userInfo, object, ...request } = review.request;
  const { metadata, ...fields } = object as Record<string, object>;
  return {
    ...request,
    object: {
      keys: [...Object.keys(fields), "metadata"].sort(),
      metadata: Object.keys(metadata ?? {}).sort(),
    },
  };
}

function partsOf(object: unknown): object {
  const { metadata, spec, status } = object as Deployment;
  return {
    hasUid: metadata?.uid !== undefined,
    generation: metadata?.generation,
    labels: metadata?.labels,
    replicas: spec?.replicas,
    status,
  };
}

function kindIn(object: unknown): string | undefined {
  return (object as { kind: string } | null)?.kind;
}
