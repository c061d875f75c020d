import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from "@typekube/api/admissionregistration/v1";
import { CustomResourceDefinition } from "@typekube/api/apiextensions/v1";
import { Secret, ServiceAccount } from "@typekube/api/core/v1";
import { findAssets } from "@typekube/test-support/real-server/assets";
import { type RealServer, startRealServer } from "@typekube/test-support/real-server/real-server";
import { type Client, connect } from "typekube";
import { admission, conversion, rbacOf, startManager } from "typekube/controller";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { Shop, shopDefinition } from "../../packages/controller/test/shop.js";

const hasReal = (await findAssets()) !== undefined;
const name = "shops.example.com";

const hooks = admission(Shop, {
  mutate(draft) {
    draft.spec = { host: `${draft.metadata.name}.example.com`, ...draft.spec };
  },
  validate: ({ object, deny }) => (object.spec?.image === "bad" ? deny("a bad image") : undefined),
});
const converted = conversion(Shop, {
  hub: "v1",
  v1beta1: { toHub: (shop) => shop, fromHub: (shop) => shop },
});
const webhooks = {
  handlers: [hooks, converted],
  url: "https://127.0.0.1:0",
  namespace: "default",
  ephemeral: true,
};
const leaderElection = { name: "hooks", namespace: "default" };

// The API server calls the webhooks by URL on 127.0.0.1 only.
describe.runIf(hasReal)("webhooks with exactly their roles on a real server", () => {
  let server: RealServer;
  let admin: Client;

  beforeAll(async () => {
    server = (await startRealServer()) as RealServer;
    admin = await connect(server.connectOptions());
    const [v1] = shopDefinition.spec.versions;
    const versions = [v1, { ...v1, name: "v1beta1", storage: false }];
    const definition = { ...shopDefinition, spec: { ...shopDefinition.spec, versions } };
    await admin.resource(CustomResourceDefinition).create(definition as never);
    await vi.waitFor(() => admin.resource(Shop, "default").list(), { timeout: 60_000 });
  });
  afterAll(async () => {
    await admin?.close();
    await server?.close();
  });

  /** Connects as a service account that has these roles, and nothing else. */
  async function withRoles(roles: ReturnType<typeof rbacOf>): Promise<Client> {
    await admin.resource(ServiceAccount, "default").create({ metadata: { name: "hooks" } });
    const apiGroup = "rbac.authorization.k8s.io";
    const binding = (kind: string) => ({
      apiVersion: `${apiGroup}/v1`,
      kind: `${kind}Binding`,
      metadata: { name: "hooks", ...(kind === "Role" ? { namespace: "default" } : {}) },
      roleRef: { kind, name: "hooks", apiGroup },
      subjects: [{ kind: "ServiceAccount", name: "hooks", namespace: "default" }],
    });
    const bindings = [binding("ClusterRole"), binding("Role")];
    await admin.applyAll([roles.clusterRole, ...roles.roles, ...bindings] as never);
    const { status } = await admin
      .resource(ServiceAccount, "default")
      .token.create("hooks", { spec: { audiences: [], expirationSeconds: 3_600 } });
    const { server: url, ca } = server.connectOptions();
    return connect({ server: url, ca, token: status?.token ?? "" });
  }

  test("CW22, CA24, CA27: they register, review, are restored after deletions, and leave nothing behind", async () => {
    const roles = rbacOf([], { name: "hooks", webhooks, leaderElection });
    await using client = await withRoles(roles);
    const errors: string[] = [];
    const manager = await startManager(client, {
      leaderElection,
      webhooks: { ...webhooks, host: "127.0.0.1", port: 0, lameDuckMs: 0 },
      log: ({ level, message, error }) => {
        if (level !== "info") {
          errors.push(`${level} ${message} ${String(error ?? "")}`);
        }
      },
    });
    const shops = admin.resource(Shop, "default");
    const hostOf = async () =>
      (await shops.create({ metadata: { name: "probe" } }, { dryRun: "All" })).spec?.host;
    await expect.poll(hostOf).toBe("probe.example.com");
    await expect(
      shops.create({ metadata: { name: "tea" }, spec: { image: "bad" } }),
    ).rejects.toThrow(/a bad image/);
    const beta = { ...Shop, version: "v1beta1", apiVersion: "example.com/v1beta1" } as typeof Shop;
    await shops.create({ metadata: { name: "tea" } });
    expect((await admin.resource(beta, "default").get("tea")).apiVersion).toBe(beta.apiVersion);
    for (const kind of [MutatingWebhookConfiguration, ValidatingWebhookConfiguration] as const) {
      const configurations = admin.resource(kind as typeof MutatingWebhookConfiguration);
      await configurations.delete(name);
      await expect.poll(() => configurations.find(name)).toBeDefined();
    }
    const secrets = admin.resource(Secret, "default");
    await secrets.delete(`${name}-certificates`);
    await expect.poll(() => secrets.find(`${name}-certificates`)).toBeDefined();
    await secrets.modify(`${name}-certificates`, (draft) => {
      draft.metadata.annotations = {};
      draft.data = { "tls.crt": "", "tls.key": "" };
    });
    await expect
      .poll(async () => (await secrets.get(`${name}-certificates`)).data?.["tls.crt"])
      .not.toBe("");
    await expect.poll(hostOf).toBe("probe.example.com");
    await manager.stop();
    expect(await admin.resource(MutatingWebhookConfiguration).find(name)).toBeUndefined();
    expect(await admin.resource(ValidatingWebhookConfiguration).find(name)).toBeUndefined();
    // The damage above is reported; a missing right would be, too.
    expect(errors.filter((line) => !line.includes("has no valid certificate"))).toEqual([]);
  });
});
