import assert from "node:assert/strict";
import { ConfigMap, Namespace } from "@typekube/api/core/v1";
import { isConflict } from "@typekube/core";
import type { ConformanceCase } from "../conformance-case.js";

const options = { fieldManager: "m1" };

const configMapIn = (namespace: string, name: string, data: Record<string, string>) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace },
  data,
});

/** Cases for the changes that an apply would make. */
export const diffs: readonly ConformanceCase[] = [
  {
    id: "diff",
    name: "diff reports created, changed and unchanged objects as data and as text, and changes nothing",
    async run({ client, namespace }) {
      const same = configMapIn(namespace, "same", { k: "1" });
      await client.applyAll([same, configMapIn(namespace, "other", { a: "1", b: "2" })], options);
      const manifests = [
        same,
        configMapIn(namespace, "other", { a: "1", c: "3" }),
        configMapIn(namespace, "new", { k: "1" }),
      ];
      const { hasChanges, objects, text, failed } = await client.diff(manifests, options);
      assert.equal(hasChanges, true);
      assert.deepEqual(failed, []);
      assert.deepEqual(
        objects.map(({ name, outcome }) => [name, outcome]),
        [
          ["same", "unchanged"],
          ["other", "changed"],
          ["new", "created"],
        ],
      );
      assert.equal(
        text,
        `--- v1/ConfigMap ${namespace}/other (live)
+++ v1/ConfigMap ${namespace}/other (applied)
@@ -1,7 +1,7 @@
 apiVersion: v1
 data:
   a: "1"
-  b: "2"
+  c: "3"
 kind: ConfigMap
 metadata:
   name: other
--- /dev/null
+++ v1/ConfigMap ${namespace}/new (applied)
@@ -0,0 +1,7 @@
+apiVersion: v1
+data:
+  k: "1"
+kind: ConfigMap
+metadata:
+  name: new
+  namespace: ${namespace}
`,
      );
      const configMaps = client.resource(ConfigMap, namespace);
      assert.deepEqual((await configMaps.get("other")).data, { a: "1", b: "2" });
      assert.equal(await configMaps.find("new"), undefined);
      await client.applyAll(manifests, options);
      const after = await client.diff(manifests, options);
      assert.deepEqual([after.hasChanges, after.text], [false, ""]);
    },
  },
  {
    id: "DRY8",
    name: "diff omits values that a dry run invents: the predicted object equals the created one",
    async run({ client, namespace }) {
      const manifests = [
        configMapIn(namespace, "plain", { k: "1" }),
        {
          apiVersion: "v1",
          kind: "Service",
          metadata: { name: "web", namespace },
          spec: { type: "NodePort", selector: { app: "web" }, ports: [{ port: 80 }] },
        },
      ];
      const predicted = await client.diff(manifests, options);
      await client.applyAll(manifests, options);
      const real = await client.diff(manifests, options);
      assert.equal(real.hasChanges, false);
      const [plain, service] = predicted.objects;
      assert.deepEqual(plain?.after, real.objects[0]?.after);
      assert.ok(service);
      const { spec } = service.after as { spec: Record<string, unknown> };
      assert.equal("clusterIP" in spec, false);
      assert.equal("clusterIPs" in spec, false);
      assert.ok((spec["ports"] as object[]).every((port) => !("nodePort" in port)));
    },
  },
  {
    id: "diff-secret",
    name: "diff never shows values of Secrets, only that they differ",
    async run({ client, namespace }) {
      const secret = (token: string) => ({
        apiVersion: "v1",
        kind: "Secret",
        metadata: {
          name: "s",
          namespace,
          annotations: { "kubectl.kubernetes.io/last-applied-configuration": `{"t":"${token}"}` },
        },
        data: { token: btoa(token), same: btoa("same-value") },
      });
      await client.applyAll([secret("first-value")], options);
      const found = await client.diff([secret("second-value")], options);
      const shown = JSON.stringify(found);
      for (const value of ["first-value", "second-value", "same-value"]) {
        assert.ok(!shown.includes(value) && !shown.includes(btoa(value)), value);
      }
      assert.match(found.text, /^-\s+token: "?\*\*\* \(before\)"?$/m);
      assert.match(found.text, /^\+\s+token: "?\*\*\* \(after\)"?$/m);
    },
  },
  {
    id: "diff-conflict",
    name: "SSA8: a field of another owner is a failure without force; onFailure compares the other objects",
    async run({ client, namespace }) {
      await client.applyAll([configMapIn(namespace, "a", { k: "1" })], options);
      const manifests = [
        configMapIn(namespace, "a", { k: "2" }),
        configMapIn(namespace, "b", { k: "2" }),
      ];
      const other = { fieldManager: "m2" };
      await assert.rejects(client.diff(manifests, other), isConflict);
      const found = await client.diff(manifests, { ...other, onFailure: "report" });
      assert.deepEqual(
        found.failed.map(({ index, error }) => [index, error.code]),
        [[0, "Conflict"]],
      );
      assert.deepEqual(
        found.objects.map(({ name }) => name),
        ["b"],
      );
      const forced = await client.diff(manifests, { ...other, force: true });
      assert.match(forced.text, /^-\s+k: "1"$/m);
    },
  },
  {
    id: "diff-new-namespace",
    name: "diff reports objects in a new namespace as new",
    async run({ client, namespace }) {
      const home = `${namespace}-unborn`;
      const found = await client.diff(
        [
          { apiVersion: "v1", kind: "Namespace", metadata: { name: home } },
          configMapIn(home, "a", { k: "1" }),
        ],
        options,
      );
      assert.deepEqual(
        found.objects.map(({ outcome }) => outcome),
        ["created", "created"],
      );
      assert.match(found.text, /^\+ {2}k: "1"$/m);
      assert.equal(await client.resource(Namespace).find(home), undefined);
    },
  },
];
