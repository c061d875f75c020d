import assert from "node:assert/strict";
import type { Live } from "@typekube/api";
import { ConfigMap, Namespace, Pod, ServiceAccount } from "@typekube/api/core/v1";
import { conditions } from "typekube";
import { configMap, pod } from "../../support/objects.js";
import type { ControllerCase } from "./controller-case.js";

/** Cases for Namespaces. */
export const namespaces: readonly ControllerCase[] = [
  {
    id: "GRP24",
    name: "a deleted namespace is removed after its contents",
    async run({ client, namespace, signal }) {
      const all = client.resource(Namespace);
      const name = `${namespace}-going`;
      const { metadata } = await all.create({ metadata: { name } });
      await client.resource(ConfigMap, name).create(configMap("a"));
      await client.resource(Pod, name).create(pod("b"));
      assert.equal((await all.delete(name)).type, "terminating");
      await all.waitFor(name, conditions.deleted(metadata.uid), { signal });
      assert.deepEqual((await client.resource(ConfigMap, name).list()).items, []);
      assert.deepEqual((await client.resource(Pod, name).list()).items, []);
    },
  },
  {
    id: "namespace-held",
    name: "a terminating namespace reports the finalizers of the remaining objects",
    async run({ client, namespace, signal }) {
      const all = client.resource(Namespace);
      const name = `${namespace}-held`;
      const { metadata } = await all.create({ metadata: { name } });
      const configMaps = client.resource(ConfigMap, name);
      await configMaps.create({ metadata: { name: "a", finalizers: ["typekube.dev/hold"] } });
      await all.delete(name);
      const held = await all.waitFor(
        name,
        (found) => conditionOf(found, "NamespaceFinalizersRemaining")?.status === "True",
        { signal },
      );
      const remaining = conditionOf(held, "NamespaceFinalizersRemaining");
      assert.equal(remaining?.reason, "SomeFinalizersRemain");
      assert.match(remaining?.message ?? "", /typekube\.dev\/hold in 1 resource instances$/);
      assert.match(
        conditionOf(held, "NamespaceContentRemaining")?.message ?? "",
        /configmaps\. has 1 resource/,
      );
      assert.equal(conditionOf(held, "NamespaceDeletionContentFailure")?.status, "False");
      await configMaps.modify("a", (found) => {
        found.metadata.finalizers = [];
      });
      await all.waitFor(name, conditions.deleted(metadata.uid), { signal });
    },
  },
  {
    id: "namespace-beginnings",
    name: "a new namespace gets the default ServiceAccount and the root CA ConfigMap",
    async run({ client, namespace, signal }) {
      const accounts = client.resource(ServiceAccount, namespace);
      const account = await accounts.waitFor("default", conditions.exists(), { signal });
      assert.deepEqual(account?.metadata.labels, undefined);
      const configMaps = client.resource(ConfigMap, namespace);
      const authority = await configMaps.waitFor("kube-root-ca.crt", conditions.exists(), {
        signal,
      });
      assert.match(authority?.data?.["ca.crt"] ?? "", /^-----BEGIN CERTIFICATE-----/);
      assert.deepEqual(Object.keys(authority?.metadata.annotations ?? {}), [
        "kubernetes.io/description",
      ]);
      await accounts.delete("default");
      await accounts.waitFor("default", conditions.exists(), { signal });
    },
  },
];

function conditionOf(found: Live<Namespace> | undefined, type: string) {
  return found?.status?.conditions?.find((one) => one.type === type);
}
