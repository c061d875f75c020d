import assert from "node:assert/strict";
import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap, Pod, Service } from "@typekube/api/core/v1";
import type { ConformanceCase } from "../conformance-case.js";
import { configMap, deployment, pod } from "../support/objects.js";
import { rawRequest } from "../support/raw-request.js";

const sure = { fallback: false } as const;
const mergePatch = "application/merge-patch+json";

/** Cases for the tables of `kubectl get`. */
export const kubectlTables: readonly ConformanceCase[] = [
  {
    id: "TAB1-pods",
    name: "the table of pods shows ready containers, status and node",
    async run(context) {
      const { client, namespace } = context;
      const pods = client.resource(Pod, namespace);
      await pods.create(pod("a"));
      const { columnDefinitions } = await pods.tableOf("a", sure);
      assert.deepEqual(
        columnDefinitions.map(({ name, priority }) => [name, priority]),
        [
          ["Name", 0],
          ["Ready", 0],
          ["Status", 0],
          ["Restarts", 0],
          ["Age", 0],
          ["IP", 1],
          ["Node", 1],
          ["Nominated Node", 1],
          ["Readiness Gates", 1],
        ],
      );
      const state = { waiting: { reason: "CrashLoopBackOff" } };
      const status = {
        phase: "Running",
        podIP: "192.0.2.1",
        containerStatuses: [
          { name: "main", image: "i", imageID: "", ready: false, restartCount: 3, state },
        ],
      };
      const path = `/api/v1/namespaces/${namespace}/pods/a/status`;
      const request = { method: "PATCH", path, contentType: mergePatch, body: { status } } as const;
      assert.equal((await rawRequest(context, request)).status, 200);
      const [, ready, reason, restarts, , ip, node] =
        (await pods.tableOf("a", sure)).rows[0]?.cells ?? [];
      assert.deepEqual(
        [ready, reason, restarts, ip, node],
        ["0/1", "CrashLoopBackOff", "3", "192.0.2.1", "<none>"],
      );
    },
  },
  {
    id: "TAB1-kinds",
    name: "other kinds also have their own columns",
    async run({ client, namespace }) {
      await client.resource(ConfigMap, namespace).create(configMap("a", { x: "1", y: "2" }));
      const maps = await client.resource(ConfigMap, namespace).tableOf("a", sure);
      assert.deepEqual(maps.rows[0]?.cells.slice(0, 2), ["a", 2]);
      await client.resource(Deployment, namespace).create(deployment("a", 3));
      const deployments = await client.resource(Deployment, namespace).tableOf("a", sure);
      assert.deepEqual(deployments.rows[0]?.cells.slice(0, 4), ["a", "0/3", 0, 0]);
      const services = client.resource(Service, namespace);
      await services.create({
        metadata: { name: "a" },
        spec: { clusterIP: "None", ports: [{ port: 80 }] },
      });
      const [row] = (await services.tableOf("a", sure)).rows;
      assert.deepEqual(row?.cells.slice(0, 5), ["a", "ClusterIP", "None", "<none>", "80/TCP"]);
    },
  },
];
