import assert from "node:assert/strict";
import { Deployment } from "@typekube/api/apps/v1";
import { Job } from "@typekube/api/batch/v1";
import { Pod, Service } from "@typekube/api/core/v1";
import type { ConformanceCase } from "../conformance-case.js";
import { deployment, pod } from "../support/objects.js";

/** Cases for defaults that a server sets. */
export const defaults: readonly ConformanceCase[] = [
  {
    id: "defaults-pod",
    name: "the server sets the defaults of a pod and its QoS class",
    async run({ client, namespace }) {
      const { spec, status } = await client.resource(Pod, namespace).create(pod("a"));
      const [container] = spec?.containers ?? [];
      assert.equal(container?.imagePullPolicy, "IfNotPresent");
      assert.equal(container?.terminationMessagePolicy, "File");
      assert.equal(spec?.enableServiceLinks, true);
      assert.equal(spec?.priority, 0);
      assert.equal(spec?.tolerations?.length, 2);
      assert.deepEqual(spec?.securityContext, {});
      assert.equal(status?.qosClass, "BestEffort");
    },
  },
  {
    id: "defaults-deployment",
    name: "the server sets the rollout defaults of a Deployment",
    async run({ client, namespace }) {
      const made = await client.resource(Deployment, namespace).create(deployment("a"));
      assert.deepEqual(made.spec?.strategy, {
        type: "RollingUpdate",
        rollingUpdate: { maxSurge: "25%", maxUnavailable: "25%" },
      });
      assert.equal(made.spec?.progressDeadlineSeconds, 600);
      assert.equal(made.spec?.template.spec?.restartPolicy, "Always");
    },
  },
  {
    id: "defaults-service",
    name: "the server assigns a clusterIP, which an update without it keeps",
    async run({ client, namespace }) {
      const services = client.resource(Service, namespace);
      const body: Service = { metadata: { name: "a" }, spec: { ports: [{ port: 80 }] } };
      const made = await services.create(body);
      assert.match(made.spec?.clusterIP ?? "", /^10\.0\.0\.\d+$/);
      assert.deepEqual(made.spec?.clusterIPs, [made.spec?.clusterIP]);
      assert.equal(made.spec?.ports?.[0]?.targetPort, 80);
      const replaced = await services.update(body);
      assert.deepEqual(replaced.spec, made.spec);
    },
  },
  {
    id: "defaults-job",
    name: "the server generates a Job's selector from its uid",
    async run({ client, namespace }) {
      const made = await client.resource(Job, namespace).create({
        metadata: { name: "a" },
        spec: {
          template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } },
        },
      });
      const uid = "batch.kubernetes.io/controller-uid";
      assert.deepEqual(made.spec?.selector?.matchLabels, { [uid]: made.metadata?.uid });
      assert.equal(made.spec?.template.metadata?.labels?.["job-name"], "a");
      assert.equal(made.spec?.backoffLimit, 6);
    },
  },
];
