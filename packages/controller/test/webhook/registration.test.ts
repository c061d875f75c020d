import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from "@typekube/api/admissionregistration/v1";
import { CustomResourceDefinition } from "@typekube/api/apiextensions/v1";
import { Pod, Secret } from "@typekube/api/core/v1";
import { type ApiServer, startApiServer } from "@typekube/apiserver";
import { mergePatch } from "@typekube/client";
import { admission, conversion, type WebhooksOptions } from "@typekube/controller";
import { makeCertificate } from "@typekube/transport/internal";
import type { Client } from "typekube";
import { type Manager, type ManagerOptions, startManager } from "typekube/controller";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { LogEntry } from "../../src/log/log.js";
import { confirmHandshake } from "../../src/webhook/server/confirm-handshake.js";
import { Shop, shopDefinition } from "../shop.js";

const hooks = admission(Shop, { mutate: () => undefined, validate: () => undefined });
const shops = conversion(Shop, {
  hub: "v1",
  v1beta1: { toHub: (shop) => shop, fromHub: (shop) => shop },
});

describe("webhooks of a manager", () => {
  let api: ApiServer;
  let client: Client;
  const managers: Manager[] = [];
  const log: LogEntry[] = [];

  beforeEach(async () => {
    api = await startApiServer();
    client = (await api.client()) as Client;
    log.length = 0;
  });
  afterEach(async () => {
    await Promise.all(managers.splice(0).map((manager) => manager.stop()));
    await api[Symbol.asyncDispose]();
  });

  const start = async (more: Partial<WebhooksOptions> = {}, options: ManagerOptions = {}) => {
    const manager = await startManager(client, {
      ...options,
      webhooks: {
        handlers: [hooks],
        url: "https://127.0.0.1:0",
        host: "127.0.0.1",
        port: 0,
        lameDuckMs: 0,
        ...more,
      },
      log: (entry) => log.push(entry),
    });
    managers.push(manager);
    return manager;
  };
  const mutating = () => client.resource(MutatingWebhookConfiguration);
  const validating = () => client.resource(ValidatingWebhookConfiguration);
  const configOf = async () =>
    (await mutating().find("shops.example.com"))?.webhooks?.[0]?.clientConfig;

  test("CA20, CA26: certificate, server and configurations fit together", async () => {
    const manager = await start();
    const { port = 0 } = manager.webhooks ?? {};
    const config = await configOf();
    expect(config?.url).toBe(`https://127.0.0.1:${port}/mutate-example-com-v1-shop`);
    const ca = Buffer.from(config?.caBundle ?? "", "base64").toString();
    await confirmHandshake({ host: "127.0.0.1", port, ca, name: "127.0.0.1" });
    const secret = await client.resource(Secret, "default").get("shops.example.com-certificates");
    expect(Buffer.from(secret.data?.["ca.crt"] ?? "", "base64").toString()).toBe(ca);
    expect((await validating().get("shops.example.com")).webhooks?.length).toBe(1);
    expect([manager.webhooks?.problems(), log]).toEqual([[], []]);
  });

  test.each([
    ["another authority", ["127.0.0.1"], false],
    ["another name", ["other.example.com"], true],
  ])("CA26: nothing is registered when the certificate has %s", async (_, hosts, isOwn) => {
    const authority = () => {
      const subject = { commonName: "ca" };
      const { cert, privateKey: key } = makeCertificate({ subject, use: "authority" });
      return { cert, issuer: { subject, key } };
    };
    const [own, other] = [authority(), authority()];
    const { issuer } = own;
    const server = makeCertificate({ subject: { commonName: "x" }, use: "server", hosts, issuer });
    const directory = await mkdtemp(join(tmpdir(), "typekube-webhook-"));
    await writeFile(join(directory, "tls.crt"), server.cert);
    await writeFile(join(directory, "tls.key"), server.key);
    await writeFile(join(directory, "ca.crt"), isOwn ? own.cert : other.cert);
    await assert.rejects(start({ certificates: { directory } }), { code: "Tls" });
    expect(await configOf()).toBeUndefined();
    await rm(directory, { recursive: true });
  });

  test("CA25: with injectCaFrom the configuration has the annotation and no CA of ours", async () => {
    const directory = await mkdtemp(join(tmpdir(), "typekube-webhook-"));
    const { cert, key } = makeCertificate({
      subject: { commonName: "x" },
      use: "server",
      hosts: ["127.0.0.1"],
    });
    await writeFile(join(directory, "tls.crt"), cert);
    await writeFile(join(directory, "tls.key"), key);
    const injectCaFrom = "shops/hooks";
    await start({ certificates: { directory, injectCaFrom } });
    const { metadata, webhooks } = await mutating().get("shops.example.com");
    expect(metadata.annotations).toMatchObject({ "cert-manager.io/inject-ca-from": injectCaFrom });
    expect(webhooks?.[0]?.clientConfig).not.toHaveProperty("caBundle");
    await rm(directory, { recursive: true });
  });

  test("CA24: a wiped CA, a deleted configuration and an edited field are restored, others' fields stay", async () => {
    await start();
    const ca = (await configOf())?.caBundle;
    await mutating().modify("shops.example.com", (draft) => {
      draft.metadata.labels = { team: "tea" };
      for (const webhook of draft.webhooks ?? []) {
        webhook.clientConfig.caBundle = "";
        webhook.failurePolicy = "Ignore";
      }
    });
    await expect.poll(async () => (await configOf())?.caBundle).toBe(ca);
    const restored = await mutating().get("shops.example.com");
    expect([restored.webhooks?.[0]?.failurePolicy, restored.metadata.labels]).toEqual([
      "Fail",
      { team: "tea" },
    ]);
    await mutating().delete("shops.example.com");
    await expect.poll(async () => (await configOf())?.caBundle).toBe(ca);
  });

  test("CC9: a definition gets the conversion, also one that is created later, and a wiped CA is restored", async () => {
    await start({ handlers: [shops] });
    await client.apply(shopDefinition as never, { fieldManager: "kubectl" });
    const definitions = client.resource(CustomResourceDefinition);
    const bundle = async () => {
      const { spec } = await definitions.get("shops.example.com");
      return spec.conversion?.webhook?.clientConfig?.caBundle;
    };
    await expect.poll(bundle).toMatch(/^LS0t/);
    await definitions.patch(
      "shops.example.com",
      mergePatch({ spec: { conversion: { webhook: { clientConfig: { caBundle: null } } } } }),
    );
    await expect.poll(bundle).toMatch(/^LS0t/);
  });

  test("CA27: a stop leaves the configurations; ephemeral deletes them", async () => {
    const manager = await start();
    await manager.stop();
    expect(await configOf()).toBeDefined();
    const ephemeral = await start({ ephemeral: true });
    await ephemeral.stop();
    expect([await configOf(), await validating().find("shops.example.com")]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test("CA28: a replica that does not lead serves its webhooks, too", async () => {
    const leaderElection = { name: "hooks", namespace: "default", warm: true };
    const [leader, follower] = await Promise.all([
      start({ name: "one", secret: "shared" }, { leaderElection }),
      start({ name: "other", secret: "shared" }, { leaderElection }),
    ]);
    for (const { webhooks } of [leader, follower]) {
      expect([webhooks?.problems(), (webhooks?.port ?? 0) > 0]).toEqual([[], true]);
    }
    const bundles = await Promise.all(["one", "other"].map((name) => mutating().get(name)));
    const [first, second] = bundles.map((one) => one.webhooks?.[0]?.clientConfig.caBundle);
    expect([first === second, first !== undefined]).toEqual([true, true]);
  });

  test("CM2, CA29: not ready from the first moment of a stop; a failed start leaves no listener", async () => {
    const manager = await start({ lameDuckMs: 200 });
    const stopped = manager.stop();
    expect(manager.webhooks?.problems()).toEqual(["the webhooks do not listen"]);
    await stopped;
    const { port = 0 } = (await start()).webhooks ?? {};
    await assert.rejects(start({ port }), { code: "Config" });
  });

  test.each<[string, Partial<WebhooksOptions>, string]>([
    ["neither service nor url", { url: undefined }, "needs either service or url"],
    ["both", { service: "shop-hooks" }, "needs either service or url"],
    ["an http URL", { url: "http://127.0.0.1" }, "webhooks.url: must be an https URL"],
    ["no handler", { handlers: [] }, "webhooks.handlers: must be an array of handlers"],
    [
      "a dangerous webhook",
      { handlers: [admission(Pod, { validate: () => undefined })] },
      "reviews kube-system",
    ],
  ])("CA16, CA26: refuses %s before anything starts", async (_, options, message) => {
    await assert.rejects(start(options), (error: Error) => error.message.includes(message));
    expect(await client.resource(Secret, "default").list()).toMatchObject({ items: [] });
  });
});
