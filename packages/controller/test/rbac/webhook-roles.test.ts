import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from "@typekube/api/admissionregistration/v1";
import { CustomResourceDefinition } from "@typekube/api/apiextensions/v1";
import { Secret } from "@typekube/api/core/v1";
import { startApiServer } from "@typekube/apiserver";
import { mergePatch } from "@typekube/client";
import {
  admission,
  conversion,
  defineController,
  rbacOf,
  startManager,
} from "@typekube/controller";
import { expect, test } from "vitest";
import { brand } from "../brand.js";
import { Shop, shopDefinition } from "../shop.js";

const hooks = admission(Shop, { mutate: () => undefined, validate: () => undefined });
const validating = admission(Shop, { validate: () => undefined });
const converted = conversion(Shop, {
  hub: "v1",
  v1beta1: { toHub: (shop) => shop, fromHub: (shop) => shop },
});
const url = "https://127.0.0.1:0";
const none: readonly never[] = [];

/** Returns the rules of webhooks alone, as `place resources (names): verbs`. */
function rulesOf(webhooks: NonNullable<Parameters<typeof rbacOf>[1]>["webhooks"]): string[] {
  const { clusterRole, roles } = rbacOf(none, { name: "hooks", events: false, webhooks });
  return [clusterRole, ...roles].flatMap((role) =>
    (role?.rules ?? []).map(
      ({ resources = [], resourceNames = ["*"], verbs }) =>
        `${role?.metadata?.namespace ?? "*"} ${resources.join()} (${resourceNames.join()}): ${verbs.join()}`,
    ),
  );
}

test("CW22: webhooks need rights on their configurations and their Secret by name", () => {
  expect(
    rulesOf({ handlers: [hooks, converted], service: "shop-hooks", namespace: "ops" }),
  ).toEqual([
    "* mutatingwebhookconfigurations,validatingwebhookconfigurations (shop-hooks): create,list,patch,watch",
    "* customresourcedefinitions (shops.example.com): get,list,patch,watch",
    "ops secrets (*): create",
    "ops secrets (shop-hooks-certificates): get,list,update,watch",
  ]);
});

test("CW22: a validator, a mounted certificate and another name need less, an ephemeral one more", () => {
  const certificates = { directory: "/certificates" };
  expect(rulesOf({ handlers: [validating], url, certificates })).toEqual([
    "* validatingwebhookconfigurations (shops.example.com): create,list,patch,watch",
  ]);
  const more = { name: "n", secret: "s", namespace: "default", ephemeral: true };
  expect(rulesOf({ handlers: [validating], url, ...more })).toEqual([
    "* validatingwebhookconfigurations (n): create,delete,list,patch,watch",
    "default secrets (*): create",
    "default secrets (s): get,list,update,watch",
  ]);
});

test("CW22: webhooks whose Secret has no namespace are refused", () => {
  expect(() => rulesOf({ handlers: [hooks], service: "shop-hooks" })).toThrow(
    /webhooks.namespace: must be set, for the Secret of their certificate/,
  );
  const service = { name: "shop-hooks", namespace: "ops" };
  expect(rulesOf({ handlers: [hooks], service }).at(-1)).toMatch(/^ops secrets/);
});

test("CW22: a verb that is allowed on all objects is not allowed by name once more", () => {
  const secrets = defineController({ kind: Secret, namespaces: ["ops"] }, { reconcile() {} });
  const webhooks = { handlers: [hooks], service: "shop-hooks", namespace: "ops" };
  const [role] = rbacOf(secrets, { webhooks }).roles;
  const rules = role?.rules?.filter(({ resources }) => resources?.includes("secrets"));
  expect(rules?.map(({ verbs, resourceNames }) => [verbs, resourceNames])).toEqual([
    [["create", "get", "list", "watch"], undefined],
    [["update"], ["shop-hooks-certificates"]],
  ]);
});

test("CW22: an election has rights on its Lease by name, and on candidates if it is coordinated", () => {
  const leaderElection = { namespace: "ops", name: "shop", coordinated: {} };
  const [role] = rbacOf(none, { name: "hooks", leaderElection }).roles;
  expect(role?.rules?.map((rule) => [rule.resources, rule.resourceNames, rule.verbs])).toEqual([
    [["leasecandidates"], undefined, ["create", "get", "list", "update", "watch"]],
    [["leases"], undefined, ["create"]],
    [["leases"], ["shop"], ["get", "list", "update", "watch"]],
  ]);
});

test("CW22: a kind without a descriptor takes the one that is passed", () => {
  const dynamic = defineController(brand, { reconcile() {} });
  const found = { ...Shop, ...brand, plural: "brandy", subresources: {} };
  const { clusterRole } = rbacOf(dynamic, { descriptors: [found], events: false });
  expect(clusterRole?.rules?.map(({ resources }) => resources)).toEqual([["brandy"]]);
  expect(() => rbacOf(dynamic, { descriptors: [Shop] })).toThrow(
    /plural of example.com\/v1\/Brand/,
  );
});

test("CW22: webhooks register, renew and repair themselves with exactly their roles", async () => {
  const place = { url, namespace: "default", ephemeral: true };
  const webhooks = { handlers: [hooks, converted], ...place };
  const { clusterRole, roles } = rbacOf(none, { name: "hooks", webhooks });
  await using api = await startApiServer({ authorization: "RBAC", users: [{ name: "hooks" }] });
  await using admin = await api.client({ as: { name: "admin", groups: ["system:masters"] } });
  const apiGroup = "rbac.authorization.k8s.io";
  const binding = (kind: string) => ({
    apiVersion: `${apiGroup}/v1`,
    kind: `${kind}Binding`,
    metadata: { name: "hooks", ...(kind === "Role" ? { namespace: "default" } : {}) },
    roleRef: { kind, name: "hooks", apiGroup },
    subjects: [{ kind: "User", name: "hooks", apiGroup }],
  });
  const bindings = [binding("ClusterRole"), binding("Role")];
  await admin.applyAll([shopDefinition, clusterRole, ...roles, ...bindings] as never);
  await using client = await api.client({ as: "hooks" });
  const errors: unknown[] = [];
  const manager = await startManager(client, {
    webhooks: { ...webhooks, host: "127.0.0.1", port: 0, lameDuckMs: 0 },
    log: ({ level, message }) => level === "error" && errors.push(message),
  });
  const name = "shops.example.com";
  const mutating = admin.resource(MutatingWebhookConfiguration);
  const { uid } = (await mutating.get(name)).metadata;
  await mutating.delete(name);
  await expect.poll(async () => (await mutating.find(name))?.metadata.uid).not.toBe(uid);
  await expect.poll(() => mutating.find(name)).toBeDefined();
  const secrets = admin.resource(Secret, "default");
  await secrets.delete(`${name}-certificates`);
  await expect.poll(() => secrets.find(`${name}-certificates`)).toBeDefined();
  await secrets.patch(`${name}-certificates`, mergePatch({ data: { "tls.crt": "" } }));
  await expect
    .poll(async () => (await secrets.get(`${name}-certificates`)).data?.["tls.crt"])
    .not.toBe("");
  const { conversion: strategy } = (await admin.resource(CustomResourceDefinition).get(name)).spec;
  expect(strategy?.strategy).toBe("Webhook");
  await manager.stop();
  expect(await mutating.find(name)).toBeUndefined();
  expect(await admin.resource(ValidatingWebhookConfiguration).find(name)).toBeUndefined();
  const refused = api.requests.filter(({ status }) => status === 403);
  expect(refused).toEqual([]);
  expect(errors.filter((line) => !String(line).includes("certificate has a problem"))).toEqual([]);
});
