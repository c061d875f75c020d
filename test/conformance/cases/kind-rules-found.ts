import assert from "node:assert/strict";
import type { KubeObject } from "@typekube/api";
import { Deployment } from "@typekube/api/apps/v1";
import { Pod } from "@typekube/api/core/v1";
import type { ConformanceCase } from "../conformance-case.js";
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
