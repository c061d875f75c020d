import assert from "node:assert/strict";
import { CustomResourceDefinition } from "@typekube/api/apiextensions/v1";
import { HorizontalPodAutoscaler as AutoscalerV1 } from "@typekube/api/autoscaling/v1";
import { HorizontalPodAutoscaler as AutoscalerV2 } from "@typekube/api/autoscaling/v2";
import { Pod, Service } from "@typekube/api/core/v1";
import { isNotFound } from "@typekube/core";
import type { ConformanceCase } from "../conformance-case.js";
import { ownDefinition, version } from "../support/custom-resources.js";
import { pod } from "../support/objects.js";
import { install } from "../support/widgets.js";

const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "d" };
const schema = {
  type: "object",
  properties: { spec: { type: "object", properties: { size: { type: "integer" } } } },
};

/** Objects that are read and written in several versions of their kind. */
export const versionsAndBack: readonly ConformanceCase[] = [
  {
    id: "DEP4",
    name: "an object written in one version, read and written back in another, is as it was",
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
    name: "what an older version has no field for survives a write in it",
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
    id: "DEP9",
    name: "what was stored in a version that is served no more is read in the one that is",
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
    name: "a deprecated field works, and the field that took its place has the same value",
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
