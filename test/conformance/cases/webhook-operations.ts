import assert from "node:assert/strict";
import { ConfigMap, Pod, ServiceAccount } from "@typekube/api/core/v1";
import type { ConformanceCase } from "../conformance-case.js";
import { coreRule, patching, registerHooks, rejection } from "../support/admission-hooks.js";
import { configMap, pod } from "../support/objects.js";
import type { Review } from "../support/review-webhook.js";

const allowed = { allowed: true };
const meta = { apiVersion: "meta.k8s.io/v1" };

/** Cases for admission webhooks and requests that are no plain writes. */
export const webhookOperations: readonly ConformanceCase[] = [
  {
    id: "CT9-review-deletions",
    name: "a deleted collection is reviewed object by object, without names; a pod with its grace period",
    needs: ["webhooks"],
    async run(context) {
      const { client, namespace } = context;
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(configMap("a", {}, { x: "y" }));
      await configMaps.create(configMap("b", {}, { x: "y" }));
      await client.resource(Pod, namespace).create(pod("p"));
      const rules = [coreRule(["configmaps", "pods"], ["DELETE"])];
      await using hooks = await registerHooks(
        context,
        "validating",
        [{ rules: [...rules, coreRule(["configmaps"])] }],
        () => allowed,
      );
      await configMaps.deleteCollection({ labelSelector: "x=y" });
      await client.resource(Pod, namespace).delete("p");
      const found = hooks.reviews.map(({ request }) => [
        request["name"],
        nameIn(request["oldObject"]),
        request["options"],
      ]);
      const options = { kind: "DeleteOptions", ...meta };
      // Real servers review a pod once for each of the steps in which they remove it.
      assert.deepEqual(found.slice(0, 3), [
        [undefined, "a", options],
        [undefined, "b", options],
        ["p", "p", { ...options, gracePeriodSeconds: 0 }],
      ]);
    },
  },
  {
    id: "CT9-denied-deletion",
    name: "a denied deletion leaves the object as it is",
    needs: ["webhooks"],
    async run(context) {
      const { client, namespace } = context;
      const configMaps = client.resource(ConfigMap, namespace);
      const created = await configMaps.create(configMap("a"));
      const rules = [coreRule(["configmaps"], ["CREATE", "DELETE"])];
      const reply = () => ({ allowed: false, status: { message: "keep it" } });
      await using _ = await registerHooks(context, "validating", [{ rules }], reply);
      assert.deepEqual(await rejection(configMaps.delete("a")), [
        400,
        undefined,
        'admission webhook "hook-0.typekube.dev" denied the request: keep it',
      ]);
      assert.deepEqual(await configMaps.get("a"), created);
    },
  },
  {
    id: "CT9-patched-deletion",
    name: "a webhook cannot change the object of a deletion",
    needs: ["webhooks"],
    async run(context) {
      const configMaps = context.client.resource(ConfigMap, context.namespace);
      await configMaps.create(configMap("a"));
      const rules = [coreRule(["configmaps"], ["CREATE", "DELETE"])];
      const reply = ({ request }: Review) =>
        request["operation"] === "DELETE"
          ? patching({ op: "add", path: "/data", value: {} })
          : allowed;
      await using _ = await registerHooks(context, "mutating", [{ rules }], reply);
      assert.deepEqual(await rejection(configMaps.delete("a")), [
        500,
        "InternalError",
        'Internal error occurred: admission webhook "hook-0.typekube.dev" attempted to modify the object, which is not supported for this operation',
      ]);
    },
  },
  {
    id: "CT9-virtual",
    name: "bindings, evictions and tokens are reviewed; reviews of access are not",
    needs: ["webhooks"],
    async run(context) {
      const { client, namespace } = context;
      await client.resource(Pod, namespace).create(pod("p"));
      const robot = { metadata: { name: "robot" } };
      await client.resource(ServiceAccount, namespace).create(robot);
      const rules = [
        {
          apiGroups: ["*"],
          apiVersions: ["*"],
          operations: ["CREATE"],
          resources: ["*/*"],
        },
      ];
      await using hooks = await registerHooks(context, "validating", [{ rules }], () => allowed);
      const path = `/api/v1/namespaces/${namespace}`;
      const post = (to: string, body: object) =>
        client.raw({ method: "POST", path: to, body, signal: context.signal });
      await post(`${path}/serviceaccounts/robot/token`, {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenRequest",
        spec: { audiences: ["a"] },
      }).catch(() => {});
      await post(`${path}/pods/p/binding`, {
        apiVersion: "v1",
        kind: "Binding",
        metadata: { name: "p" },
        target: { kind: "Node", name: "n" },
      });
      await post(`${path}/pods/p/eviction`, {
        apiVersion: "policy/v1",
        kind: "Eviction",
        metadata: { name: "p", namespace },
      });
      await post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SelfSubjectAccessReview",
        spec: { resourceAttributes: { verb: "get", resource: "pods" } },
      });
      const found = hooks.reviews.map(({ request }) => {
        const { resource, subResource, kind, name } = request;
        return [(resource as { resource: string }).resource, subResource, kind, name];
      });
      assert.deepEqual(
        found.filter(([resource]) => ["pods", "serviceaccounts"].includes(String(resource))),
        [
          [
            "serviceaccounts",
            "token",
            { group: "authentication.k8s.io", version: "v1", kind: "TokenRequest" },
            "robot",
          ],
          ["pods", "binding", { group: "", version: "v1", kind: "Binding" }, "p"],
          ["pods", "eviction", { group: "policy", version: "v1", kind: "Eviction" }, "p"],
        ],
      );
      assert.ok(!found.some(([resource]) => String(resource).includes("reviews")));
    },
  },
  {
    id: "CT9-connect",
    name: "connections into pods are reviewed with their options",
    needs: ["webhooks"],
    async run(context) {
      const { client, namespace } = context;
      await client.resource(Pod, namespace).create(pod("p"));
      const rules = [coreRule(["pods/*"], ["CONNECT"])];
      const reply = () => ({ allowed: false, status: { message: "stay out" } });
      await using hooks = await registerHooks(
        context,
        "validating",
        [{ rules: [...rules, coreRule(["configmaps"])] }],
        reply,
      );
      const path = `/api/v1/namespaces/${namespace}/pods/p`;
      const denied = [
        400,
        undefined,
        'admission webhook "hook-0.typekube.dev" denied the request: stay out',
      ];
      for (const [method, subresource] of [
        ["POST", "exec?command=ls&command=-l&container=main&stdout=true&tty=true"],
        ["GET", "proxy/a/b?c=d"],
        ["POST", "portforward?ports=80"],
      ] as const) {
        const [suffix = "", text = ""] = subresource.split("?");
        const query = [...new URLSearchParams(text)];
        const call = client.raw({
          method,
          path: `${path}/${suffix}`,
          query: grouped(query),
          signal: context.signal,
        });
        assert.deepEqual(await rejection(call), denied);
      }
      const found = hooks.reviews.map(({ request }) => {
        const { operation, subResource, kind, name, object, oldObject, options } = request;
        return {
          operation,
          subResource,
          kind: (kind as { kind: string }).kind,
          name,
          object,
          oldObject,
          options,
        };
      });
      const connect = { operation: "CONNECT", name: "p", oldObject: null, options: null };
      const apiVersion = "v1";
      assert.deepEqual(found, [
        {
          ...connect,
          subResource: "exec",
          kind: "PodExecOptions",
          object: {
            apiVersion,
            kind: "PodExecOptions",
            stdout: true,
            tty: true,
            container: "main",
            command: ["ls", "-l"],
          },
        },
        {
          ...connect,
          subResource: "proxy",
          kind: "PodProxyOptions",
          object: { apiVersion, kind: "PodProxyOptions", path: "/a/b" },
        },
        {
          ...connect,
          subResource: "portforward",
          kind: "PodPortForwardOptions",
          object: { apiVersion, kind: "PodPortForwardOptions", ports: [80] },
        },
      ]);
    },
  },
];

function nameIn(object: unknown): string | undefined {
  return (object as { metadata: { name: string } } | null)?.metadata.name;
}

function grouped(pairs: readonly (readonly [string, string])[]): Record<string, string | string[]> {
  const query: Record<string, string[]> = {};
  for (const [key, value] of pairs) {
    query[key] = [...(query[key] ?? []), value];
  }
  return query;
}
