import assert from "node:assert/strict";
import type { Deployment as DeploymentObject } from "@typekube/api/apps/v1";
import { Deployment } from "@typekube/api/apps/v1";
import {
  ConfigMap,
  Namespace,
  PersistentVolumeClaim,
  Pod,
  Service,
  ServiceAccount,
} from "@typekube/api/core/v1";
import { mergePatch } from "@typekube/client";
import { KubeError } from "@typekube/core";
import type { ConformanceCase } from "../conformance-case.js";
import { expectFailure } from "../support/expect-failure.js";
import { configMap, deployment, pod } from "../support/objects.js";
import { accepted, rawCollection, refused } from "../support/raw-collection.js";
import { expectRefusal } from "../support/raw-request.js";

const unsafe = { ignoreStoreReadErrorWithClusterBreakingPotential: true } as const;

/** Cases for delete options and the response of a delete. */
export const deleteOptions: readonly ConformanceCase[] = [
  {
    id: "DEL1-state",
    name: "the result of a delete distinguishes deleted from terminating, whatever body the kind returns",
    async run({ client, namespace }) {
      const finalizers = ["x.io/a"];
      const metadata = { name: "a" };
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(configMap("a"));
      assert.equal((await configMaps.delete("a")).type, "deleted");
      await configMaps.create({ metadata: { name: "a", finalizers } });
      assert.equal((await configMaps.delete("a")).type, "terminating");
      await configMaps.patch("a", mergePatch({ metadata: { finalizers: null } }));
      assert.equal(await configMaps.find("a"), undefined);

      // For these kinds the response holds the object although it is deleted.
      const accounts = client.resource(ServiceAccount, namespace);
      await accounts.create({ metadata });
      assert.equal((await accounts.delete("a")).type, "deleted");
      assert.equal(await accounts.find("a"), undefined);
      const services = client.resource(Service, namespace);
      await services.create({ metadata, spec: { ports: [{ port: 80 }] } });
      assert.equal((await services.delete("a")).type, "deleted");
      assert.equal(await services.find("a"), undefined);

      const pods = client.resource(Pod, namespace);
      await pods.create(pod("a"));
      assert.equal((await pods.delete("a", { gracePeriodSeconds: 0 })).type, "deleted");
      assert.equal(await pods.find("a"), undefined);
      const claims = client.resource(PersistentVolumeClaim, namespace);
      await claims.create({
        metadata: { name: "a", finalizers },
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
      });
      assert.equal((await claims.delete("a")).type, "terminating");
      await claims.patch("a", mergePatch({ metadata: { finalizers: null } }));
    },
  },
  {
    id: "DEL1-namespace",
    name: "a deleted namespace is terminating until its kubernetes finalizer is removed",
    async run({ client, namespace }) {
      const namespaces = client.resource(Namespace);
      const name = `${namespace}-gone`;
      await namespaces.create({ metadata: { name } });
      // The embedded server empties a namespace immediately; a real server without controllers never does.
      const response = await namespaces.delete(name);
      const isThere = (await namespaces.find(name)) !== undefined;
      assert.equal(response.type === "terminating" || !isThere, true);
    },
  },
  {
    id: "DEL1-foreground",
    name: "a foreground deletion is reported as terminating",
    async run({ client, namespace }) {
      const deployments = client.resource(Deployment, namespace);
      const created: DeploymentObject = await deployments.create(deployment("a"));
      const response = await deployments.delete("a", { propagationPolicy: "Foreground" });
      assert.equal(created.metadata?.finalizers, undefined);
      assert.equal(response.type, "terminating");
      const now = await deployments.find("a");
      if (now) {
        await deployments.patch("a", mergePatch({ metadata: { finalizers: null } }));
      }
    },
  },
  {
    id: "DEL1-wrong-types",
    name: "a delete with options of wrong types is refused for the first one and deletes nothing",
    async run(context) {
      const configMaps = rawCollection(context, "/api/v1/%/configmaps");
      await accepted(configMaps.post("", { ...configMap("a") }));
      for (const [options, found, field, type] of [
        [{ preconditions: "x" }, "string", "DeleteOptions.preconditions", "v1.Preconditions"],
        [{ preconditions: [] }, "array", "DeleteOptions.preconditions", "v1.Preconditions"],
        [{ preconditions: { uid: 5 } }, "number", "Preconditions.preconditions.uid", "types.UID"],
        [
          { preconditions: { resourceVersion: 5.5 } },
          "number",
          "Preconditions.preconditions.resourceVersion",
          "string",
        ],
        [
          { propagationPolicy: 5 },
          "number",
          "DeleteOptions.propagationPolicy",
          "v1.DeletionPropagation",
        ],
        [{ orphanDependents: 1 }, "number", "DeleteOptions.orphanDependents", "bool"],
        [{ gracePeriodSeconds: true }, "bool", "DeleteOptions.gracePeriodSeconds", "int64"],
        [{ gracePeriodSeconds: 1e30 }, "number 1e+30", "DeleteOptions.gracePeriodSeconds", "int64"],
        [{ dryRun: [true], gracePeriodSeconds: "x" }, "bool", "DeleteOptions.dryRun", "string"],
        [
          { gracePeriodSeconds: "x", dryRun: [true] },
          "string",
          "DeleteOptions.gracePeriodSeconds",
          "int64",
        ],
        [{ dryRun: [true], propagationPolicy: "bad" }, "bool", "DeleteOptions.dryRun", "string"],
      ] as const) {
        for (const place of ["", "/a"]) {
          assert.deepEqual(await refused(configMaps.delete(place, options)), [
            400,
            `json: cannot unmarshal ${found} into Go struct field ${field} of type ${type}`,
          ]);
        }
      }
      await accepted(configMaps.get("/a"));
    },
  },
  {
    id: "DEL8",
    name: "the unsafe option on a readable object responds with Conflict and keeps the object",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const before = await configMaps.create(configMap("a", { k: "v" }));
      await expectFailure(configMaps.delete("a", unsafe), { code: 409, reason: "Conflict" });
      assert.deepEqual(await configMaps.get("a"), before);
    },
  },
  {
    id: "DEL7",
    name: "the unsafe option cannot be combined with others: the client and the server reject it",
    async run(context) {
      const { client, namespace } = context;
      const configMaps = client.resource(ConfigMap, namespace);
      const before = await configMaps.create(configMap("a"));
      const dry = client.with({ dryRun: "All" }).resource(ConfigMap, namespace);
      for (const refused of [
        () => dry.delete("a", unsafe),
        () => configMaps.delete("a", { ...unsafe, gracePeriodSeconds: 0 } as never),
        () => configMaps.delete("a", { ...unsafe, propagationPolicy: "Orphan" } as never),
        () => configMaps.delete("a", { ...unsafe, preconditions: {} } as never),
      ]) {
        const error = await refused().catch((caught: unknown) => caught);
        assert.ok(error instanceof KubeError && error.code === "InvalidArgument");
      }
      const { details } = await expectRefusal(
        context,
        {
          method: "DELETE",
          path: `/api/v1/namespaces/${namespace}/configmaps/a`,
          body: {
            apiVersion: "v1",
            kind: "DeleteOptions",
            ...unsafe,
            gracePeriodSeconds: 0,
            propagationPolicy: "Orphan",
            dryRun: ["All"],
          },
        },
        { code: 422, reason: "Invalid" },
      );
      const messages = (details?.causes ?? []).map(({ message }) => message);
      const together = (other: string) =>
        `Invalid value: true: cannot be set together with ${other}`;
      assert.ok(messages.includes(together(".propagationPolicy")), messages.join());
      assert.deepEqual(await configMaps.get("a"), before);
    },
  },
];
