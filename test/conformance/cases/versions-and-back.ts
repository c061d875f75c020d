import assert from "node:assert/strict";
import { CustomResourceDefinition } from "@typekube/api/apiextensions/v1";
import { HorizontalPodAutoscaler as AutoscalerV1 } from "@typekube/api/autoscaling/v1";
import { HorizontalPodAutoscaler as AutoscalerV2 } from "@typekube/api/autoscaling/v2";
import { Pod, Service } from "@typekube/api/core/v1";
import { mergePatch } from "@typekube/client";
import { isNotFound } from "@typekube/core";
import type { ConformanceCase } from "../conformance-case.js";
import { ownDefinition, version } from "../support/custom-resources.js";
import { expectFailure } from "../support/expect-failure.js";
import { pod } from "../support/objects.js";
import { install } from "../support/widgets.js";

const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "d" };
const schema = {
  type: "object",
  properties: { spec: { type: "object", properties: { size: { type: "integer" } } } },
};

/** Cases for objects that are read and written in several versions of their kind. */
export const versionsAndBack: readonly ConformanceCase[] = [
  {
    id: "DEP4",
    name: "an object read and written back in another version stays the same",
    async run({ client, namespace }) {
      const first = client.resource(AutoscalerV1, namespace);
      const second = client.resource(AutoscalerV2, namespace);
      const before = await first.create({
        metadata: { name: "a", labels: { l: "x" } },
        spec: { scaleTargetRef, maxReplicas: 5, targetCPUUtilizationPercentage: 60 },
      });
      const seen = await second.get("a");
      assert.deepEqual(
        seen.spec?.metrics?.map(({ resource }) => resource?.target.averageUtilization),
        [60],
      );
      await second.update(seen);
      const { spec, metadata } = await first.get("a");
      assert.deepEqual(spec, before.spec);
      assert.deepEqual(metadata.labels, before.metadata.labels);
      assert.equal(metadata.uid, before.metadata.uid);
    },
  },
  {
    id: "DEP4-richer",
    name: "fields that an older version lacks survive a write in it",
    async run({ client, namespace }) {
      const first = client.resource(AutoscalerV1, namespace);
      const second = client.resource(AutoscalerV2, namespace);
      const target = { type: "AverageValue", averageValue: "10" };
      const before = await second.create({
        metadata: { name: "a", annotations: { own: "x" } },
        spec: {
          scaleTargetRef,
          maxReplicas: 5,
          metrics: [{ type: "Pods", pods: { metric: { name: "hits" }, target } }],
          behavior: { scaleDown: { stabilizationWindowSeconds: 10 } },
        },
      });
      const old = await first.get("a");
      await first.update({ ...old, spec: { ...old.spec, scaleTargetRef, maxReplicas: 7 } });
      const after = await second.get("a");
      assert.deepEqual(after.spec, { ...before.spec, maxReplicas: 7 });
      assert.deepEqual(after.metadata.annotations, { own: "x" });
    },
  },
  {
    id: "DEP4-carried",
    name: "autoscaling/v1 returns the fields that it lacks as annotations, which are not stored",
    async run(context) {
      const first = context.client.resource(AutoscalerV1, context.namespace);
      const second = context.client.resource(AutoscalerV2, context.namespace);
      const selector = { matchLabels: { l: "x" } };
      const described = { kind: "Ingress", name: "i", apiVersion: "networking.k8s.io/v1" };
      const value = { type: "Value", value: "2k" };
      const averageValue = { type: "AverageValue", averageValue: "10" };
      const utilization = { type: "Utilization", averageUtilization: 50 };
      const cpu = { type: "Resource", resource: { name: "cpu", target: utilization } };
      const metrics = [
        { type: "Resource", resource: { name: "memory", target: averageValue } },
        cpu,
        {
          type: "ContainerResource",
          containerResource: { name: "cpu", container: "c", target: utilization },
        },
        { type: "Pods", pods: { metric: { name: "hits", selector }, target: averageValue } },
        {
          type: "Object",
          object: { describedObject: described, metric: { name: "rate" }, target: value },
        },
        {
          type: "Object",
          object: { describedObject: described, metric: { name: "mean" }, target: averageValue },
        },
        { type: "External", external: { metric: { name: "queue", selector }, target: value } },
        { type: "External", external: { metric: { name: "lag" }, target: averageValue } },
      ];
      const scaleUp = {
        stabilizationWindowSeconds: 5,
        selectPolicy: "Min",
        policies: [{ type: "Pods", value: 2, periodSeconds: 30 }],
      };
      const made = await second.create({
        metadata: { name: "a", annotations: { own: "x" } },
        spec: { scaleTargetRef, maxReplicas: 5, metrics, behavior: { scaleUp } },
      });
      const lastTransitionTime = "2026-01-01T00:00:00Z";
      const condition = {
        type: "Able",
        status: "True",
        lastTransitionTime,
        reason: "R",
        message: "m",
      };
      const current = { averageUtilization: 40, averageValue: "20m" };
      const status = {
        currentReplicas: 1,
        desiredReplicas: 2,
        currentMetrics: [{ type: "Resource", resource: { name: "cpu", current } }],
        conditions: [condition],
      };
      const reported = await second.status.patch("a", mergePatch({ status }));
      const { metadata, spec, status: shown } = await first.get("a");
      const carrier = "autoscaling.alpha.kubernetes.io";
      const { own, ...carried } = metadata.annotations ?? {};
      assert.equal(own, "x");
      assert.deepEqual(
        Object.fromEntries(Object.entries(carried).map(([key, text]) => [key, JSON.parse(text)])),
        {
          [`${carrier}/metrics`]: [
            { type: "Resource", resource: { name: "memory", targetAverageValue: "10" } },
            {
              type: "ContainerResource",
              containerResource: { name: "cpu", targetAverageUtilization: 50, container: "c" },
            },
            { type: "Pods", pods: { metricName: "hits", targetAverageValue: "10", selector } },
            {
              type: "Object",
              object: { target: described, metricName: "rate", targetValue: "2k" },
            },
            {
              type: "Object",
              object: {
                target: described,
                metricName: "mean",
                targetValue: "0",
                averageValue: "10",
              },
            },
            {
              type: "External",
              external: { metricName: "queue", metricSelector: selector, targetValue: "2k" },
            },
            { type: "External", external: { metricName: "lag", targetAverageValue: "10" } },
          ],
          [`${carrier}/current-metrics`]: [
            {
              type: "Resource",
              resource: {
                name: "cpu",
                currentAverageUtilization: 40,
                currentAverageValue: "20m",
              },
            },
          ],
          [`${carrier}/conditions`]: [condition],
          [`${carrier}/behavior`]: {
            ScaleUp: {
              StabilizationWindowSeconds: 5,
              SelectPolicy: "Min",
              Policies: [{ Type: "Pods", Value: 2, PeriodSeconds: 30 }],
              Tolerance: null,
            },
            ScaleDown: {
              StabilizationWindowSeconds: null,
              SelectPolicy: "Max",
              Policies: [{ Type: "Percent", Value: 100, PeriodSeconds: 15 }],
              Tolerance: null,
            },
          },
        },
      );
      assert.deepEqual(spec, {
        scaleTargetRef,
        minReplicas: 1,
        maxReplicas: 5,
        targetCPUUtilizationPercentage: 50,
      });
      assert.deepEqual(shown, {
        currentReplicas: 1,
        desiredReplicas: 2,
        currentCPUUtilizationPercentage: 40,
      });
      await first.patch("a", mergePatch({ spec: { maxReplicas: 7 } }));
      const after = await second.get("a");
      const others = metrics.filter((metric) => metric !== cpu);
      assert.deepEqual(after.spec, { ...made.spec, maxReplicas: 7, metrics: [...others, cpu] });
      assert.deepEqual(after.status, reported.status);
      assert.deepEqual(after.metadata.annotations, { own: "x" });
      await first.create({ metadata: { name: "b" }, spec: { scaleTargetRef, maxReplicas: 2 } });
      const plain = await first.get("b");
      assert.equal(plain.spec?.targetCPUUtilizationPercentage, 80);
      assert.equal(plain.metadata.annotations, undefined);
      const annotations = { [`${carrier}/metrics`]: "[]", own: "x" };
      const odd = {
        metadata: { name: "c", annotations },
        spec: { scaleTargetRef, maxReplicas: 2 },
      };
      assert.deepEqual((await second.create(odd)).metadata.annotations, { own: "x" });
    },
  },
  {
    id: "DEP4-checked",
    name: "the annotations of autoscaling/v1 are validated, and dropped if they cannot be parsed",
    async run({ client, namespace }) {
      const scalers = client.resource(AutoscalerV1, namespace);
      const spec = { scaleTargetRef, maxReplicas: 2 };
      const annotations = (metrics: string) => ({
        "autoscaling.alpha.kubernetes.io/metrics": metrics,
        "autoscaling.alpha.kubernetes.io/behavior": "{}",
      });
      const odd = { metadata: { name: "a", annotations: annotations('[{"type":"Odd"}]') }, spec };
      await expectFailure(scalers.create(odd), {
        code: 422,
        reason: "Invalid",
        message: /spec\.metrics\[0\]\.type: Unsupported value: "Odd"/,
      });
      const plain = { metadata: { name: "a", annotations: annotations("{") }, spec };
      const made = await scalers.create(plain);
      assert.equal(made.metadata.annotations, undefined);
      assert.equal(made.spec?.targetCPUUtilizationPercentage, 80);
    },
  },
  {
    id: "DEP9",
    name: "an object stored in a version that is no longer served is read in the served one",
    needs: ["crd"],
    async run({ client, namespace, signal }) {
      const beta = (more: object) => version(schema, { name: "v1beta1", ...more });
      const stable = (more: object) => version(schema, { name: "v1", ...more });
      const definition = ownDefinition(
        namespace,
        "Relic",
        beta({ storage: true }),
        stable({ storage: false }),
      );
      await install(client, definition, signal);
      const { group } = definition.spec;
      const at = (name: string) =>
        client.resource({ apiVersion: `${group}/${name}`, kind: "Relic" }, namespace);
      await at("v1beta1").create({ metadata: { name: "a" }, spec: { size: 3 } });
      const { name } = definition.metadata;
      await client.resource(CustomResourceDefinition).modify(name, (current) => {
        current.spec.versions = [
          beta({ storage: false, served: false }),
          stable({ storage: true, served: true }),
        ];
      });
      for (;;) {
        signal.throwIfAborted();
        const gone = await at("v1beta1")
          .list()
          .then(
            () => false,
            (error: unknown) => isNotFound(error),
          );
        if (gone) {
          break;
        }
      }
      const read = await at("v1").get("a");
      assert.equal(read.apiVersion, `${group}/v1`);
      assert.deepEqual(read["spec"], { size: 3 });
    },
  },
  {
    id: "DEP10",
    name: "a deprecated field works, and its replacement has the same value",
    async run({ client, namespace }) {
      const { spec } = pod("a");
      const pods = client.resource(Pod, namespace);
      const old = await pods.create(
        { metadata: { name: "a" }, spec: { containers: [], ...spec, serviceAccount: "robot" } },
        { dryRun: "All" },
      );
      assert.equal(old.spec?.serviceAccountName, "robot");
      const own = await pods.create(
        { metadata: { name: "a" }, spec: { containers: [], ...spec, serviceAccountName: "robot" } },
        { dryRun: "All" },
      );
      assert.equal(own.spec?.serviceAccount, "robot");
      const service = await client.resource(Service, namespace).create({
        metadata: { name: "a" },
        spec: { type: "LoadBalancer", ports: [{ port: 80 }], loadBalancerIP: "192.0.2.1" },
      });
      assert.equal(service.spec?.loadBalancerIP, "192.0.2.1");
    },
  },
];
