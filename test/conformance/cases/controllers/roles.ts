import assert from "node:assert/strict";
import type { Live } from "@typekube/api";
import { ClusterRole } from "@typekube/api/rbac/v1";
import type { ControllerCase, ControllerContext } from "./controller-case.js";

/** Waits until a role's rules name these resources, in this order. */
async function untilAbout(
  { client, signal }: ControllerContext,
  name: string,
  wanted: readonly string[],
): Promise<Live<ClusterRole>> {
  const roles = client.resource(ClusterRole);
  // Servers write null for a role without rules.
  const about = ({ rules }: ClusterRole) =>
    (rules ?? []).flatMap(({ resources = [] }) => resources);
  const isRight = (role: ClusterRole) => JSON.stringify(about(role)) === JSON.stringify(wanted);
  const first = await roles.get(name);
  if (isRight(first)) {
    return first;
  }
  const { resourceVersion } = first.metadata;
  const fieldSelector = { "metadata.name": name };
  for await (const event of roles.watch({ resourceVersion, fieldSelector, signal })) {
    if (event.type !== "BOOKMARK" && isRight(event.object)) {
      return event.object;
    }
  }
  throw new Error("the watch ended before the rules were as they should be");
}

/** Cases for aggregated ClusterRoles. */
export const roles: readonly ControllerCase[] = [
  {
    id: "role-aggregation",
    name: "an aggregated ClusterRole holds the rules of the selected roles, by name, without duplicates or other rules",
    async run(context) {
      const { client, namespace } = context;
      const clusterRoles = client.resource(ClusterRole);
      const label = `${namespace}.typekube.dev/part`;
      const part = (name: string, ...resources: string[]) =>
        clusterRoles.create({
          metadata: { name: `${namespace}-${name}`, labels: { [label]: "true" } },
          rules: resources.map((one) => ({ apiGroups: [""], resources: [one], verbs: ["get"] })),
        });
      const whole = `${namespace}-whole`;
      await part("b", "secrets", "pods");
      await clusterRoles.create({
        // The role selects itself too, which adds nothing.
        metadata: { name: whole, labels: { [label]: "true" } },
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [label]: "true" } }] },
        rules: [],
      });
      const first = await untilAbout(context, whole, ["secrets", "pods"]);
      const owner = first.metadata.managedFields?.find(({ operation }) => operation === "Apply");
      assert.equal(owner?.manager, "clusterrole-aggregation-controller");
      assert.deepEqual(owner?.fieldsV1, { "f:rules": {} });

      await part("a", "pods", "nodes");
      await untilAbout(context, whole, ["pods", "nodes", "secrets"]);

      await clusterRoles.modify(whole, (role) => {
        role.rules = [{ apiGroups: [""], resources: ["services"], verbs: ["get"] }];
      });
      await untilAbout(context, whole, ["pods", "nodes", "secrets"]);

      await clusterRoles.delete(`${namespace}-b`);
      await untilAbout(context, whole, ["pods", "nodes"]);
    },
  },
];
