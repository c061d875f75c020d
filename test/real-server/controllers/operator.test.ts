import { readFile } from "node:fs/promises";
import { startEnvironment, type TestEnvironment } from "@typekube/apiserver/envtest";
import { findAssets } from "@typekube/test-support/real-server/assets";
import { type Client, connect, mergePatch, parseManifests } from "typekube";
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from "typekube/api/admissionregistration/v1";
import { Deployment } from "typekube/api/apps/v1";
import { Service, ServiceAccount } from "typekube/api/core/v1";
import { rbacOf, startManager } from "typekube/controller";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { memoryDns } from "../../../examples/operator/dns.js";
import { Shop } from "../../../examples/operator/shop.js";
import { shopHooks } from "../../../examples/operator/shop-hooks.js";
import { shopController } from "../../../examples/operator/shops.js";

const hasReal = (await findAssets()) !== undefined;
const manifests = new URL("../../../examples/operator/manifests/", import.meta.url);
const definition = new URL("crd.yaml", manifests);
const leaderElection = { name: "shop-operator", namespace: "default" };
/** In place of a Service: the API server calls the webhooks on 127.0.0.1. */
const webhooks = {
  handlers: [shopHooks],
  url: "https://127.0.0.1:0",
  namespace: "default",
  name: "shop-operator",
  ephemeral: true,
};

describe.runIf(hasReal)("the operator example on a real server", () => {
  let environment: TestEnvironment;
  let admin: Client;
  let operator: Client;

  beforeAll(async () => {
    const assets = await findAssets();
    environment = await startEnvironment({
      assets: assets?.apiServer.replace(/\/kube-apiserver$/, ""),
      load: await readFile(definition, "utf8"),
      timeoutMs: 120_000,
    });
    admin = await environment.client();
    operator = await withExactlyItsRoles();
  });
  afterAll(async () => {
    await operator?.close();
    await admin?.close();
    await environment?.stop();
  });

  /** Connects as a service account that has the roles of the operator, and nothing else. */
  async function withExactlyItsRoles(): Promise<Client> {
    const { clusterRole, roles } = rbacOf(shopController(memoryDns()), {
      name: "operator",
      leaderElection,
      webhooks,
    });
    const account = { metadata: { name: "operator" } };
    await admin.resource(ServiceAccount, "default").create(account);
    const subjects = [{ kind: "ServiceAccount", name: "operator", namespace: "default" }];
    const binding = (kind: string) => ({
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: `${kind}Binding`,
      metadata: { name: "operator", ...(kind === "Role" ? { namespace: "default" } : {}) },
      roleRef: { kind, name: "operator", apiGroup: "rbac.authorization.k8s.io" },
      subjects,
    });
    const rights = [clusterRole, ...roles, binding("ClusterRole"), binding("Role")];
    await admin.applyAll(rights as never);
    const { status } = await admin
      .resource(ServiceAccount, "default")
      .token.create("operator", { spec: { audiences: [], expirationSeconds: 3_600 } });
    const { server, ca } = environment.connectOptions();
    return connect({ server, ca, token: status?.token ?? "" });
  }

  test("CT10, CW22: it works with exactly its roles: creates, waits for a rollout, publishes, cleans up", async () => {
    const dns = memoryDns();
    const errors: string[] = [];
    await using _ = await startManager(operator, {
      controllers: [shopController(dns)],
      leaderElection,
      webhooks: { ...webhooks, host: "127.0.0.1", port: 0, lameDuckMs: 0 },
      log: ({ level, message, error }) => {
        if (level === "error") {
          errors.push(`${message} ${String(error ?? "")}`);
        }
      },
    });
    const shops = admin.resource(Shop, "default");
    const deployments = admin.resource(Deployment, "default");
    await shops.create({
      metadata: { name: "tea" },
      spec: { image: "tea:1", host: "tea.example.com" },
    });
    await expect.poll(() => deployments.find("tea")).toBeDefined();
    await expect
      .poll(() => shops.patch("tea", mergePatch({ spec: { host: "new" } })).catch(String), {
        message: "the API server calls the webhook",
      })
      .toMatch(/the host of a shop cannot change/);
    await expect.poll(() => admin.resource(Service, "default").find("tea")).toBeDefined();
    await expect
      .poll(async () => (await shops.get("tea")).status?.conditions?.[0]?.reason)
      .toBe("RollingOut");
    // There is no deployment controller here: the test says that the pods run.
    const { metadata } = await deployments.get("tea");
    const status = {
      observedGeneration: metadata.generation,
      replicas: 1,
      updatedReplicas: 1,
      readyReplicas: 1,
      availableReplicas: 1,
    };
    await deployments.status.patch("tea", mergePatch({ status }));
    await expect
      .poll(async () => (await shops.get("tea")).status)
      .toMatchObject({ url: "https://tea.example.com", conditions: [{ status: "True" }] });
    expect([...dns.hosts]).toEqual(["tea.example.com"]);
    await shops.delete("tea");
    await expect.poll(() => shops.find("tea")).toBeUndefined();
    expect([...dns.hosts]).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("CA16: it registers the webhooks that its manifest shows, at another place", async () => {
    await using _ = await startManager(operator, {
      webhooks: { ...webhooks, host: "127.0.0.1", port: 0, lameDuckMs: 0 },
    });
    const yaml = await readFile(new URL("webhooks.yaml", manifests), "utf8");
    const shown = await parseManifests(yaml);
    const withoutPlace = (configuration: object) => {
      const { webhooks: all = [] } = configuration as { readonly webhooks?: readonly object[] };
      return all.map((webhook) => ({ ...webhook, clientConfig: undefined }));
    };
    const mutating = await admin.resource(MutatingWebhookConfiguration).get("shop-operator");
    const validating = await admin.resource(ValidatingWebhookConfiguration).get("shop-operator");
    expect([mutating, validating].map(withoutPlace)).toMatchObject(shown.map(withoutPlace));
  });

  test("CR28, CQ31: a status that is written causes no further run", async () => {
    let runs = 0;
    const { defineController } = await import("typekube/controller");
    const controller = defineController(Shop, {
      name: "counter",
      reconcile() {
        runs++;
        return { status: { readyReplicas: runs } };
      },
    });
    await using _ = await startManager(admin, { controllers: [controller], log() {} });
    const shops = admin.resource(Shop, "default");
    await shops.create({ metadata: { name: "mate" }, spec: { image: "m", host: "m.example.com" } });
    await expect.poll(async () => (await shops.get("mate")).status?.readyReplicas).toBe(1);
    await shops.patch("mate", mergePatch({ metadata: { labels: { a: "b" } } }));
    await expect.poll(async () => (await shops.get("mate")).status?.readyReplicas).toBe(2);
    expect(runs).toBe(2);
    await shops.delete("mate");
  });
});
