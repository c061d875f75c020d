import { expect, it } from "vitest";
import { eventTtlMs, expire } from "../../src/controllers/event-expiry.js";
import { aggregatedRules } from "../../src/controllers/role-aggregation.js";
import { ensureAuthority } from "../../src/controllers/service-accounts.js";
import { createControllerContext, namesIn, namespace, objectOf } from "./controller-context.js";

it("serviceAccounts: the ConfigMap of a namespace follows the certificate authority", async () => {
  const { writer } = await createControllerContext("configmaps");
  ensureAuthority({ writer, authority: () => "first" }, namespace);
  ensureAuthority({ writer, authority: () => "second" }, namespace);
  expect(writer.get("configmaps", namespace, "kube-root-ca.crt")).toMatchObject({
    data: { "ca.crt": "second" },
  });
});

it("roleAggregation: a role has the rules of the roles that it selects, without duplicates", () => {
  const role = (name: string, part: string, ...resources: string[]) =>
    objectOf(
      "rbac.authorization.k8s.io/v1",
      "ClusterRole",
      name,
      { rules: resources.map((one) => ({ resources: [one] })) },
      { labels: { part } },
    );
  const whole = {
    ...role("whole", "yes", "nodes"),
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { part: "yes" } }] },
  };
  const all = [
    role("a", "yes", "pods"),
    role("b", "no", "secrets"),
    role("c", "yes", "pods"),
    whole,
  ];
  expect(aggregatedRules(whole, all)).toEqual([{ resources: ["pods"] }]);
});

it("eventExpiry: an Event is removed when its time is over", async () => {
  const context = await createControllerContext();
  const { clock } = context.server;
  context.events.record(
    objectOf("v1", "ConfigMap", "a", {}, { uid: "u" }),
    { reason: "Seen", message: "seen" },
    { component: "test" },
  );
  const id = `events ${namespace}/${namesIn(context, "events")[0]}`;
  const due = new Map([[id, clock.now() + eventTtlMs]]);
  const expiry = { ...context, due };
  expect(expire(expiry, id)).toEqual({ afterMs: eventTtlMs, kind: "background" });
  due.set(id, clock.now());
  expect(expire(expiry, id)).toBeUndefined();
  expect(namesIn(context, "events")).toEqual([]);
});
