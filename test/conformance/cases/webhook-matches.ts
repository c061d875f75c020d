import assert from "node:assert/strict";
import { HorizontalPodAutoscaler } from "@typekube/api/autoscaling/v1";
import { ConfigMap, Namespace } from "@typekube/api/core/v1";
import { mergePatch } from "typekube";
import type { ConformanceCase } from "../conformance-case.js";
import {
  coreRule,
  type HookFields,
  patching,
  registerHooks,
  rejection,
} from "../support/admission-hooks.js";
import { configMap } from "../support/objects.js";

const allowed = { allowed: true };

/** Cases for the requests for which admission webhooks are called. */
export const webhookMatches: readonly ConformanceCase[] = [
  {
    id: "CT9-rules",
    name: "rules choose by operation, group, version, resource, subresource and scope",
    needs: ["webhooks"],
    async run(context) {
      const rules: readonly HookFields[] = [
        coreRule(["configmaps"], ["CREATE"]),
        coreRule(["configmaps"], ["UPDATE"]),
        coreRule(["*"], ["CREATE"]),
        coreRule(["*/*"], ["CREATE"]),
        coreRule(["configmaps/*"], ["CREATE"]),
        coreRule(["configmaps/status"], ["CREATE"]),
        coreRule(["configmaps"], ["CREATE"], { scope: "Namespaced" }),
        coreRule(["configmaps"], ["CREATE"], { scope: "Cluster" }),
        coreRule(["configmaps"], ["CREATE"], { apiGroups: ["*"] }),
        coreRule(["configmaps"], ["CREATE"], { apiVersions: ["v2"] }),
        coreRule(["secrets", "pods"], ["CREATE"]),
      ];
      const hooks = rules.map((one) => ({ rules: [one] }));
      await using registered = await registerHooks(context, "validating", hooks, () => allowed);
      await context.client.resource(ConfigMap, context.namespace).create(configMap("a"));
      assert.deepEqual([...registered.paths].sort(), ["/0", "/2", "/3", "/4", "/6", "/8"]);
    },
  },
  {
    id: "CT9-selectors",
    name: "an objectSelector selects the new object or the old one, a namespaceSelector its namespace",
    needs: ["webhooks"],
    async run(context) {
      const { client, namespace } = context;
      const own = { "kubernetes.io/metadata.name": namespace };
      const rules = [coreRule(["configmaps"], ["CREATE", "UPDATE"])];
      const hooks = [
        { rules, objectSelector: { matchLabels: { a: "old" } } },
        {
          rules,
          objectSelector: { matchExpressions: [{ key: "a", operator: "In", values: ["new"] }] },
        },
        { rules, objectSelector: { matchLabels: { a: "other" } } },
        { rules, objectSelector: { matchExpressions: [{ key: "a", operator: "DoesNotExist" }] } },
        { rules, namespaceSelector: { matchLabels: { ...own, team: "x" } } },
      ];
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(configMap("a", {}, { a: "old" }));
      await using registered = await registerHooks(context, "mutating", hooks, () => allowed);
      await configMaps.patch("a", mergePatch({ metadata: { labels: { a: "new" } } }));
      assert.deepEqual(registered.paths, ["/0", "/1"]);
    },
  },
  {
    id: "CT9-namespace-selector",
    name: "a Namespace that is changed is selected by its new labels",
    needs: ["webhooks"],
    async run(context) {
      const { client, namespace } = context;
      const own = { "kubernetes.io/metadata.name": namespace };
      const rules = [coreRule(["namespaces"], ["UPDATE"])];
      const hooks = [
        { rules, namespaceSelector: { matchLabels: { ...own, team: "x" } } },
        { rules, namespaceSelector: { matchLabels: { ...own, team: "y" } } },
      ];
      await client
        .resource(Namespace)
        .patch(namespace, mergePatch({ metadata: { labels: { team: "x" } } }));
      await using registered = await registerHooks(context, "mutating", hooks, () => allowed);
      await client
        .resource(Namespace)
        .patch(namespace, mergePatch({ metadata: { labels: { team: "y" } } }));
      assert.deepEqual(registered.paths, ["/1"]);
    },
  },
  {
    id: "CT9-equivalent",
    name: "with the policy Equivalent a webhook gets the object in the version of its rules, with Exact none",
    needs: ["webhooks"],
    async run(context) {
      const { client, namespace } = context;
      const rules = [
        {
          apiGroups: ["autoscaling"],
          apiVersions: ["v2"],
          operations: ["CREATE"],
          resources: ["horizontalpodautoscalers"],
        },
      ];
      const hooks = [
        { rules, matchPolicy: "Equivalent" },
        { rules, matchPolicy: "Exact" },
      ];
      const reply = () => patching({ op: "replace", path: "/spec/maxReplicas", value: 7 });
      await using registered = await registerHooks(context, "mutating", hooks, reply);
      const created = await client.resource(HorizontalPodAutoscaler, namespace).create({
        metadata: { name: "a" },
        spec: {
          scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" },
          maxReplicas: 3,
          targetCPUUtilizationPercentage: 60,
        },
      });
      assert.deepEqual(registered.paths, ["/0"]);
      const request: Readonly<Record<string, unknown>> = registered.reviews[0]?.request ?? {};
      const object = request["object"];
      const group = "autoscaling";
      assert.deepEqual(
        ["kind", "requestKind", "resource", "requestResource"].map((key) => request[key]),
        [
          { group, version: "v2", kind: "HorizontalPodAutoscaler" },
          { group, version: "v1", kind: "HorizontalPodAutoscaler" },
          { group, version: "v2", resource: "horizontalpodautoscalers" },
          { group, version: "v1", resource: "horizontalpodautoscalers" },
        ],
      );
      assert.equal((object as { apiVersion: string }).apiVersion, "autoscaling/v2");
      assert.deepEqual((object as { spec: { metrics: object } }).spec.metrics, [
        {
          type: "Resource",
          resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 60 } },
        },
      ]);
      assert.equal(created.spec?.maxReplicas, 7);
      assert.equal(created.spec?.targetCPUUtilizationPercentage, 60);
    },
  },
  {
    id: "CT9-reinvocation",
    name: "a webhook with the policy IfNeeded runs again if a later one changes the object",
    needs: ["webhooks"],
    async run(context) {
      const hooks = [{ reinvocationPolicy: "IfNeeded" }, {}, { reinvocationPolicy: "IfNeeded" }];
      let call = 0;
      await using registered = await registerHooks(context, "mutating", hooks, (_review, path) => {
        call += 1;
        return path === "/1"
          ? patching({ op: "add", path: "/data", value: { call: String(call) } })
          : allowed;
      });
      const configMaps = context.client.resource(ConfigMap, context.namespace);
      await configMaps.create(configMap("a"));
      assert.deepEqual(registered.paths, ["/0", "/1", "/2", "/0"]);
    },
  },
  {
    id: "CT9-conditions",
    name: "match conditions decide whether a webhook is called; one that fails follows the failure policy",
    needs: ["webhooks"],
    async run(context) {
      const condition = (expression: string) => [{ name: "c", expression }];
      const hooks = [
        { matchConditions: condition("object.metadata.name.startsWith('a')") },
        { matchConditions: condition("request.operation == 'DELETE'") },
        { matchConditions: condition("oldObject == null && request.userInfo.username != ''") },
        {
          matchConditions: condition(
            "authorizer.group('').resource('pods').check('get').allowed()",
          ),
        },
        { matchConditions: condition("object.data.nothing == 'x'"), failurePolicy: "Ignore" },
        {
          matchConditions: condition("object.data.fail == 'no'"),
          objectSelector: { matchLabels: { fails: "yes" } },
        },
      ];
      await using registered = await registerHooks(context, "mutating", hooks, () => allowed);
      const configMaps = context.client.resource(ConfigMap, context.namespace);
      await configMaps.create(configMap("a"));
      assert.deepEqual(registered.paths, ["/0", "/2", "/3"]);
      assert.deepEqual(await rejection(configMaps.create(configMap("b", {}, { fails: "yes" }))), [
        403,
        "Forbidden",
        `configmaps "b" is forbidden: expression 'object.data.fail == 'no'' resulted in error: no such key: data`,
      ]);
    },
  },
];
