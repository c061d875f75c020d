import assert from "node:assert/strict";
import { ConfigMap, Pod } from "@typekube/api/core/v1";
import { Role, RoleBinding } from "@typekube/api/rbac/v1";
import { isForbidden, KubeError } from "@typekube/core";
import { untilAllowed } from "@typekube/test-support/real-server/until-allowed";
import type { ConformanceCase, ConformanceContext } from "../conformance-case.js";
import { configMap, pod } from "../support/objects.js";

const viewer = { kind: "User", name: "viewer", apiGroup: "rbac.authorization.k8s.io" };

/** Grants the viewer a verb in the case's namespace, and waits until the server applies it. */
async function allow(
  { client, namespace, clientOf, signal }: ConformanceContext,
  resource: string,
  verb: string,
): Promise<void> {
  const metadata = { name: "may" };
  const rules = [{ apiGroups: [""], resources: [resource], verbs: [verb] }];
  await client.resource(Role, namespace).create({ metadata, rules });
  await client.resource(RoleBinding, namespace).create({
    metadata,
    roleRef: { apiGroup: viewer.apiGroup, kind: "Role", name: "may" },
    subjects: [viewer],
  });
  await using them = await clientOf("viewer");
  await untilAllowed(them, { verb, resource, namespace }, signal);
}

/** Returns the error message of a rejected request. */
async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => assert.fail("it was allowed"),
    (caught: unknown) => caught,
  );
  assert.ok(isForbidden(error) && error instanceof KubeError, String(error));
  return error.message;
}

/** Cases for the messages of Forbidden responses. */
export const rights: readonly ConformanceCase[] = [
  {
    id: "GRP23",
    name: "permissions in a namespace do not apply to others or to all; GRP17: the error names the verb and the namespace",
    needs: ["users"],
    async run(context) {
      await allow(context, "configmaps", "list");
      const { namespace } = context;
      await using them = await context.clientOf("viewer");
      assert.ok((await them.resource(ConfigMap, namespace).list()).items);
      assert.match(
        await refusal(them.resource(ConfigMap, "kube-system").list()),
        /cannot list resource "configmaps" .*in the namespace "kube-system"/,
      );
      assert.match(
        await refusal(them.resource(ConfigMap).list()),
        /cannot list resource "configmaps" .*at the cluster scope/,
      );
    },
  },
  {
    id: "GRP29",
    name: "a permission for pods does not include their status, and the error names the subresource",
    needs: ["users"],
    async run(context) {
      const { client, namespace } = context;
      await client.resource(Pod, namespace).create(pod("p"));
      await allow(context, "pods", "get");
      await using them = await context.clientOf("viewer");
      const pods = them.resource(Pod, namespace);
      assert.equal((await pods.get("p")).metadata.name, "p");
      assert.match(await refusal(pods.status.get("p")), /cannot get resource "pods\/status"/);
    },
  },
  {
    id: "GRP20",
    name: "an apply that creates needs the verb create; OLD6: an apply to an existing object needs patch",
    needs: ["users"],
    async run(context) {
      const { client, namespace } = context;
      await client.resource(ConfigMap, namespace).create(configMap("there"));
      await using them = await context.clientOf("viewer");
      const configMaps = them.resource(ConfigMap, namespace);
      const apply = (name: string) =>
        configMaps.apply({ metadata: { name }, data: { k: "v" } }, { fieldManager: "m1" });
      assert.match(await refusal(apply("there")), /cannot patch resource "configmaps"/);
      await allow(context, "configmaps", "patch");
      assert.deepEqual((await apply("there")).data, { k: "v" });
      assert.match(await refusal(apply("new")), /cannot create resource "configmaps"/);
    },
  },
  {
    id: "apply-all-unreadable",
    name: "applyAll works without read permission and reports the outcome as applied",
    needs: ["users"],
    async run(context) {
      const { client, namespace } = context;
      await client.resource(ConfigMap, namespace).create(configMap("there"));
      await allow(context, "configmaps", "patch");
      await using them = await context.clientOf("viewer");
      const [applied] = await them.applyAll(
        [{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "there", namespace } }],
        { fieldManager: "m1" },
      );
      assert.equal(applied?.outcome, "applied");
    },
  },
];
