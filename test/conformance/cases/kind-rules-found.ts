import assert from "node:assert/strict";
import type { KubeObject } from "@typekube/api";
import { Deployment } from "@typekube/api/apps/v1";
import { Pod } from "@typekube/api/core/v1";
import type { ConformanceCase } from "../conformance-case.js";
import { expectFailure } from "../support/expect-failure.js";
import { deployment, pod } from "../support/objects.js";
import { expectRefusal, rawRequest } from "../support/raw-request.js";

const mergePatch = "application/merge-patch+json";
const strategicPatch = "application/strategic-merge-patch+json";

/** Cases for the shortest write sequences whose responses once differed between the two servers. */
export const kindRulesFound: readonly ConformanceCase[] = [
  {
    id: "found-pod-ips",
    name: "the server copies the podIP of a pod to its podIPs",
    async run(context) {
      const { client, namespace } = context;
      await client.resource(Pod, namespace).create(pod("a"));
      const path = `/api/v1/namespaces/${namespace}/pods/a/status`;
      const body = { status: { podIP: "192.0.2.7" } };
      await rawRequest(context, { method: "PATCH", path, contentType: mergePatch, body });
      const { status } = await client.resource(Pod, namespace).get("a");
      assert.deepEqual(status?.podIPs, [{ ip: "192.0.2.7" }]);
    },
  },
  {
    id: "found-divisors",
    name: "an error about a divisor shows the resource in place of the divisor",
    async run({ client, namespace }) {
      const pods = client.resource(Pod, namespace);
      const ofVariable = (resource: string, divisor: string): Pod => ({
        metadata: { name: "a" },
        spec: {
          containers: [
            {
              name: "c",
              image: "i",
              env: [{ name: "E", valueFrom: { resourceFieldRef: { resource, divisor } } }],
            },
          ],
        },
      });
      const ofFile = (resource: string, divisor: string): Pod => ({
        metadata: { name: "a" },
        spec: {
          containers: [{ name: "c", image: "i" }],
          volumes: [
            {
              name: "v",
              downwardAPI: {
                items: [{ path: "p", resourceFieldRef: { containerName: "c", resource, divisor } }],
              },
            },
          ],
        },
      });
      const bytes = "1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei";
      const rows = [
        ["limits.cpu", "2m", "1m and 1", "cpu"],
        ["limits.memory", "1024", bytes, "memory"],
        ["requests.ephemeral-storage", "7", bytes, "local ephemeral storage"],
        ["limits.hugepages-2Mi", "5", bytes, "hugepages"],
      ] as const;
      for (const [resource, divisor, divisors, kind] of rows) {
        for (const [made, field] of [
          [ofVariable, "spec.containers[0].env[0].valueFrom.resourceFieldRef.divisor"],
          [ofFile, "spec.volumes[0].downwardAPI.resourceFieldRef.divisor"],
        ] as const) {
          const why = `only divisor's values ${divisors} are supported with the ${kind} resource`;
          const message = `Invalid value: "${resource}": ${why}`;
          await expectFailure(pods.create(made(resource, divisor), { dryRun: "All" }), {
            code: 422,
            reason: "Invalid",
            causes: [{ reason: "FieldValueInvalid", message, field }],
          });
        }
      }
    },
  },
  {
    id: "found-scale-zero",
    name: "a Scale of zero omits the replicas, which then have no owner",
    async run(context) {
      const { client, namespace } = context;
      await client.resource(Deployment, namespace).create(deployment("a"));
      const path = `/apis/apps/v1/namespaces/${namespace}/deployments/a/scale`;
      const body = { spec: { replicas: 0 } };
      const scaled = await rawRequest(context, {
        method: "PATCH",
        path,
        contentType: mergePatch,
        body,
      });
      assert.deepEqual(scaled.json()["spec"], {});
      const { metadata } = await client.resource(Deployment, namespace).get("a");
      assert.deepEqual(
        metadata?.managedFields?.map(({ subresource }) => subresource),
        [undefined],
      );
    },
  },
  {
    id: "found-job-orphans",
    name: "deleting a Job without a propagation policy orphans its pods, and waits for that",
    async run(context) {
      const path = `/apis/batch/v1/namespaces/${context.namespace}/jobs`;
      const template = {
        spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] },
      };
      const body = { metadata: { name: "a" }, spec: { template } };
      await rawRequest(context, { method: "POST", path, body });
      const { status, json } = await rawRequest(context, { method: "DELETE", path: `${path}/a` });
      assert.equal(status, 200);
      assert.deepEqual(json<KubeObject>().metadata?.finalizers, ["orphan"]);
    },
  },
  {
    id: "found-patch-order",
    name: "a strategic merge patch puts items that it adds to a keyed list first",
    async run(context) {
      const path = `/api/v1/namespaces/${context.namespace}/services`;
      const body = { metadata: { name: "a" }, spec: { ports: [{ name: "a", port: 80 }] } };
      await rawRequest(context, { method: "POST", path, body });
      const patched = await rawRequest(context, {
        method: "PATCH",
        path: `${path}/a`,
        contentType: strategicPatch,
        body: { spec: { ports: [{ name: "b", port: 81 }] } },
      });
      const { spec } = patched.json<{ spec: { ports: { name: string }[] } }>();
      assert.deepEqual(
        spec.ports.map(({ name }) => name),
        ["b", "a"],
      );
    },
  },
  {
    id: "found-balancer-status",
    name: "a status.loadBalancer.ingress is rejected for a Service of another type than LoadBalancer",
    async run(context) {
      const path = `/api/v1/namespaces/${context.namespace}/services`;
      const made = { metadata: { name: "a" }, spec: { ports: [{ port: 80 }] } };
      await rawRequest(context, { method: "POST", path, body: made });
      const body = { status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } } };
      const request = {
        method: "PATCH",
        path: `${path}/a/status`,
        contentType: mergePatch,
        body,
      } as const;
      const message =
        "Service \"a\" is invalid: status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'";
      await expectRefusal(context, request, { code: 422, reason: "Invalid", message });
    },
  },
];
