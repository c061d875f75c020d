import assert from "node:assert/strict";
import { ConfigMap } from "@typekube/api/core/v1";
import { conditions } from "typekube";
import { configMap } from "../../support/objects.js";
import { readUntil } from "../../support/read-watch.js";
import { type ControllerCase, owned } from "./controller-case.js";

/** Cases for the garbage collector. */
export const garbageCollection: readonly ControllerCase[] = [
  {
    id: "gc-foreground",
    name: "a foreground deletion deletes the owner after its blocking dependents",
    async run({ client, namespace, signal }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const owner = await configMaps.create(configMap("owner"));
      await configMaps.create(owned("child", owner));
      const { metadata } = await configMaps.create(
        owned("grandchild", await configMaps.get("child")),
      );
      const response = await configMaps.delete("owner", { propagationPolicy: "Foreground" });
      assert.equal(response.type, "terminating");
      const events = await readUntil(
        configMaps.watch({ resourceVersion: metadata.resourceVersion, signal }),
        ({ type, object }) => type === "DELETED" && object.metadata.name === "owner",
      );
      const order = events
        .filter(({ type }) => type === "DELETED")
        .map(({ object }) => object.metadata.name);
      assert.deepEqual(order, ["grandchild", "child", "owner"]);
    },
  },
  {
    id: "gc-background",
    name: "a background deletion deletes the dependents after the owner, then their dependents",
    async run({ client, namespace, signal }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const owner = await configMaps.create(configMap("owner"));
      const child = await configMaps.create(owned("child", owner));
      const grandchild = await configMaps.create(owned("grandchild", child));
      assert.equal((await configMaps.delete("owner")).type, "deleted");
      for (const { metadata } of [child, grandchild]) {
        await configMaps.waitFor(metadata.name, conditions.deleted(metadata.uid), { signal });
      }
    },
  },
  {
    id: "gc-orphan",
    name: "an orphaned dependent remains and loses its owner reference",
    async run({ client, namespace, signal }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const owner = await configMaps.create(configMap("owner"));
      await configMaps.create(owned("child", owner));
      await configMaps.delete("owner", { propagationPolicy: "Orphan" });
      await configMaps.waitFor("owner", conditions.deleted(owner.metadata.uid), { signal });
      const { metadata } = await configMaps.get("child");
      assert.equal(metadata.ownerReferences, undefined);
      assert.equal(metadata.deletionTimestamp, undefined);
    },
  },
  {
    id: "gc-absent-owner",
    name: "a dependent whose owners do not exist is collected; one existing owner keeps it",
    async run({ client, namespace, signal }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const owner = await configMaps.create(configMap("owner"));
      const absent = {
        ...owner,
        metadata: { ...owner.metadata, uid: "0d0f6b4e-0000-4000-8000-000000000000" },
      };
      const lost = await configMaps.create(owned("lost", absent));
      const both = owned("both", absent);
      const [first] = both.metadata?.ownerReferences ?? [];
      const [second] = owned("both", owner).metadata?.ownerReferences ?? [];
      assert.ok(first && second);
      await configMaps.create({ metadata: { name: "both", ownerReferences: [first, second] } });
      await configMaps.waitFor("lost", conditions.deleted(lost.metadata.uid), { signal });
      const kept = await configMaps.waitFor(
        "both",
        (found) => found?.metadata.ownerReferences?.length === 1,
        { signal },
      );
      assert.deepEqual(
        kept?.metadata.ownerReferences?.map(({ uid }) => uid),
        [owner.metadata.uid],
      );
    },
  },
  {
    id: "gc-other-namespace",
    name: "a dependent whose owner is in another namespace is collected",
    async run({ client, namespace, signal }) {
      const elsewhere = await client
        .resource(ConfigMap, "default")
        .create(configMap(`of-${namespace}`));
      const configMaps = client.resource(ConfigMap, namespace);
      const { metadata } = await configMaps.create(owned("child", elsewhere));
      await configMaps.waitFor("child", conditions.deleted(metadata.uid), { signal });
      assert.ok(await client.resource(ConfigMap, "default").get(`of-${namespace}`));
    },
  },
];
