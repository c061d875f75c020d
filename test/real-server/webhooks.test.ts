import { once } from "node:events";
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from "node:net";
import type { KubeObject, ResourceDescriptor, SubresourceDescriptor, Verb } from "@typekube/api";
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from "@typekube/api/admissionregistration/v1";
import { CustomResourceDefinition } from "@typekube/api/apiextensions/v1";
import { ConfigMap, Secret } from "@typekube/api/core/v1";
import { findAssets } from "@typekube/test-support/real-server/assets";
import { type RealServer, startRealServer } from "@typekube/test-support/real-server/real-server";
import { type Client, connect, type KubeError, mergePatch } from "typekube";
import {
  admission,
  conversion,
  defineController,
  type Manager,
  migrateStorage,
  startManager,
  type WebhooksOptions,
} from "typekube/controller";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { certificateSecret } from "../../packages/controller/src/webhook/certificates/certificate-secret.js";
import { advanceCertificates } from "../../packages/controller/src/webhook/certificates/certificate-state.js";

const hasReal = (await findAssets()) !== undefined;
const dayMs = 24 * 3_600_000;

interface Shop extends KubeObject {
  spec?: { host?: string; replicas?: number; big?: number | bigint };
}
interface ShopV1beta1 extends KubeObject {
  spec?: { domain?: string; replicas?: number; big?: number | bigint };
}

function descriptor<T extends KubeObject>(version: string) {
  const apiVersion = `example.com/${version}`;
  const kind = {
    group: "example.com",
    version,
    apiVersion,
    kind: "Shop",
    plural: "shops",
    singular: "shop",
    shortNames: [],
    categories: [],
    scope: "Namespaced",
    verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
    subresources: {},
    protobuf: false,
  };
  return kind as unknown as ResourceDescriptor<
    T,
    "Namespaced",
    Verb,
    Record<never, SubresourceDescriptor>
  >;
}
const Shop = descriptor<Shop>("v1");
const ShopV1beta1 = descriptor<ShopV1beta1>("v1beta1");

const versionOf = (name: string, storage: boolean) => ({
  name,
  served: true,
  storage,
  schema: {
    openAPIV3Schema: {
      type: "object",
      properties: { spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
    },
  },
});
const definition = (storage: "v1" | "v1beta1") => ({
  metadata: { name: "shops.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "shops", singular: "shop", kind: "Shop", listKind: "ShopList" },
    versions: ["v1", "v1beta1"].map((name) => versionOf(name, name === storage)),
  },
});

const hooks = admission(Shop, {
  name: "shop",
  mutate(draft, { dryRun, warn }) {
    if (dryRun) {
      warn("this is a dry run");
    }
    draft.spec ??= {};
    draft.spec.host ||= `${draft.metadata.name}.example.com`;
  },
  validate({ object, oldObject, deny, warn }) {
    if (Number(object.spec?.replicas ?? 0) > 50) {
      warn("more than 50 replicas are slow to roll out");
    }
    if (oldObject && oldObject.spec?.host !== object.spec?.host) {
      return deny("host is immutable", { field: "spec.host" });
    }
    return undefined;
  },
});

const converted = conversion(Shop, {
  hub: "v1",
  v1beta1: {
    toHub({ spec: { domain, ...spec } = {}, ...shop }: ShopV1beta1) {
      return { ...shop, spec: { ...spec, ...(domain === undefined ? {} : { host: domain }) } };
    },
    fromHub({ spec: { host, ...spec } = {}, ...shop }) {
      return { ...shop, spec: { ...spec, ...(host === undefined ? {} : { domain: host }) } };
    },
  },
});

/** Forwards connections, and cuts all of them on request. */
interface CuttingProxy extends AsyncDisposable {
  readonly port: number;
  /** Port that it forwards to. */
  target: number;
  /** Connections so far. */
  readonly connections: number;
  /** Ends all connections, and resolves when the API server has closed its ends: it would still write to one otherwise. */
  cut(): Promise<void>;
}

async function cuttingProxy(): Promise<CuttingProxy> {
  const nearSockets = new Set<Socket>();
  let connections = 0;
  let target = 0;
  const proxy = createServer((near) => {
    connections += 1;
    const far = connectTcp(target, "127.0.0.1");
    nearSockets.add(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on("error", () => {});
      one.once("close", () => {
        nearSockets.delete(near);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const cut = async () => {
    const closed = [...nearSockets].map((socket) => once(socket, "close"));
    for (const socket of nearSockets) {
      socket.end();
    }
    await Promise.all(closed);
  };
  return {
    port: (proxy.address() as AddressInfo).port,
    get target() {
      return target;
    },
    set target(port) {
      target = port;
    },
    get connections() {
      return connections;
    },
    cut,
    async [Symbol.asyncDispose]() {
      await cut();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

// The API server calls the webhooks by URL on 127.0.0.1 only.
describe.runIf(hasReal)("webhooks on a real server", () => {
  let server: RealServer;
  let client: Client;
  const managers: Manager[] = [];

  beforeAll(async () => {
    server = (await startRealServer()) as RealServer;
    client = await connect(server.connectOptions());
    await client.resource(CustomResourceDefinition).create(definition("v1"));
    await vi.waitFor(() => client.resource(Shop, "default").list(), { timeout: 60_000 });
  });
  afterAll(async () => {
    await client?.close();
    await server?.close();
  });
  afterEach(async () => {
    await Promise.all(managers.splice(0).map((manager) => manager.stop()));
  });

  const start = async (
    options: Partial<WebhooksOptions> & Pick<WebhooksOptions, "handlers">,
    controllers: Parameters<typeof startManager>[1] = {},
  ) => {
    const manager = await startManager(client, {
      ...controllers,
      webhooks: {
        url: "https://127.0.0.1:0",
        host: "127.0.0.1",
        port: 0,
        lameDuckMs: 0,
        ephemeral: true,
        ...options,
      },
    });
    managers.push(manager);
    return manager;
  };
  const shops = () => client.resource(Shop, "default");
  /** Waits until the API server calls the webhooks. */
  const called = async () => {
    const name = "probe";
    await expect
      .poll(async () => {
        const shop = await shops().create({ metadata: { name } }, { dryRun: "All" });
        return shop.spec?.host;
      })
      .toBe("probe.example.com");
  };

  test("CA1, CA6, CA7, CA26: a mutator's draft is stored, and large integers survive", async () => {
    await start({ handlers: [hooks] });
    await called();
    const big = 2n ** 53n + 1n;
    const shop = await shops().create({ metadata: { name: "tea" }, spec: { big, replicas: 2 } });
    expect(shop.spec).toEqual({ big, replicas: 2, host: "tea.example.com" });
  });

  test("CA4, CA10, CA12: a denial has its cause, warnings arrive, a dry run is marked", async () => {
    const warnings: string[] = [];
    await start({ handlers: [hooks] });
    await called();
    await shops().create(
      { metadata: { name: "big" }, spec: { replicas: 60 } },
      { onWarning: (text) => warnings.push(text) },
    );
    await shops().create(
      { metadata: { name: "dry" } },
      { dryRun: "All", onWarning: (text) => warnings.push(text) },
    );
    expect(warnings).toEqual(["more than 50 replicas are slow to roll out", "this is a dry run"]);
    const error = await shops()
      .patch("big", mergePatch({ spec: { host: "other" } }))
      .catch((caught: KubeError) => caught);
    expect(error).toMatchObject({
      code: "Invalid",
      httpStatus: 422,
      causes: [{ field: "spec.host", message: "host is immutable" }],
    });
    expect(String(error)).toContain('admission webhook "validate.shop.example.com" denied');
  });

  test("CA9, CA13: deletes have the old object; a slow handler ends before the server stops waiting", async () => {
    const seen: unknown[] = [];
    const deletes = admission(Shop, {
      name: "deletes",
      operations: ["DELETE"],
      timeoutSeconds: 1,
      async validate({ oldObject, name, signal, user }) {
        seen.push([oldObject.metadata.name, name, user.username !== undefined]);
        if (name === "slow") {
          await new Promise((_, reject) => {
            signal.addEventListener("abort", () => reject(signal.reason), { once: true });
          });
        }
      },
    });
    const names = ["quick", "slow"];
    for (const name of names) {
      await shops().create({ metadata: { name } });
    }
    await start({ handlers: [deletes], name: "deletes" });
    await expect
      .poll(async () => {
        await shops().delete("quick", { dryRun: "All" });
        return seen.length;
      })
      .toBeGreaterThan(0);
    expect(seen[0]).toEqual(["quick", "quick", true]);
    const error = await shops()
      .delete("slow")
      .catch((caught: KubeError) => caught);
    expect(String(error)).toMatch(/did not respond within \d+ ms/);
  });

  test("CA24: a wiped CA is restored within a second, and the configuration works again", async () => {
    await start({ handlers: [hooks] });
    await called();
    const configurations = client.resource(MutatingWebhookConfiguration);
    const bundle = async () =>
      (await configurations.get("shops.example.com")).webhooks?.[0]?.clientConfig.caBundle;
    const before = await bundle();
    await configurations.modify("shops.example.com", (draft) => {
      for (const { clientConfig } of draft.webhooks ?? []) {
        clientConfig.caBundle = undefined;
      }
    });
    const wipedAt = performance.now();
    await expect.poll(bundle, { interval: 5 }).toBe(before);
    console.log(`CA restored after ${Math.round(performance.now() - wipedAt)} ms`);
    await called();
  });

  test("CA27: an ephemeral manager leaves no configuration behind", async () => {
    const manager = await start({ handlers: [hooks] });
    await manager.stop();
    const kinds = [MutatingWebhookConfiguration, ValidatingWebhookConfiguration] as const;
    for (const kind of kinds) {
      expect(await client.resource(kind as (typeof kinds)[0]).find("shops.example.com")).toBe(
        undefined,
      );
    }
    await shops().create({ metadata: { name: "after" } });
  });

  test("CA21, CA23: no review fails while the authority is replaced", async () => {
    // An authority with 80 of its 3,650 days left, so that its replacement begins at once.
    const context = { hosts: ["127.0.0.1"], phaseMs: 3_000, isPublished: true };
    const old = advanceCertificates(undefined, { ...context, now: Date.now() - 3_570 * dayMs });
    await client
      .resource(Secret, "default")
      .create(certificateSecret({ name: "rotating", namespace: "default" }, old));
    await using proxy = await cuttingProxy();
    const { webhooks } = await start({
      handlers: [hooks],
      url: `https://127.0.0.1:${proxy.port}`,
      secret: "rotating",
      rotationPhaseMs: 3_000,
    });
    proxy.target = webhooks?.port ?? 0;
    const bundles = new Set<string>();
    const failures: unknown[] = [];
    let reviews = 0;
    const size = async () => {
      const { data } = await client.resource(Secret, "default").get("rotating");
      const ca = Buffer.from(data?.["ca.crt"] ?? "", "base64").toString();
      bundles.add(ca);
      return ca.match(/BEGIN/g)?.length;
    };
    await called();
    let isDone = false;
    const loop = (async () => {
      while (!isDone) {
        reviews += 1;
        await shops()
          .create({ metadata: { name: `loop-${reviews}` } }, { dryRun: "All" })
          .catch((error: unknown) => failures.push(error));
        // The next review needs another connection, and so another handshake.
        await proxy.cut();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    await expect.poll(size).toBe(2);
    await expect.poll(size, { interval: 200 }).toBe(1);
    const last = [...bundles].at(-1) ?? "";
    // Until the API server has the last bundle.
    const until = reviews + 50;
    await expect.poll(() => reviews).toBeGreaterThan(until);
    isDone = true;
    await loop;
    const { connections } = proxy;
    console.log(
      `reviews while the authority was replaced: ${reviews} over ${connections} connections, failed: ${failures.length}`,
    );
    expect(failures).toEqual([]);
    expect(connections).toBeGreaterThan(reviews / 2);
    expect(old.bundle.join("")).not.toContain(last);
  });

  test("CC1, CC9: objects are converted between versions, before the caches of a controller fill", async () => {
    await client
      .resource(ShopV1beta1, "default")
      .create({ metadata: { name: "old" }, spec: { domain: "old.example.com" } });
    const seen = new Map<string, unknown>();
    const controller = defineController(Shop, {
      reconcile(shop) {
        seen.set(shop.metadata.name, shop.spec);
      },
    });
    await start({ handlers: [converted] }, { controllers: [controller] });
    const bundle = async () =>
      (await client.resource(CustomResourceDefinition).get("shops.example.com")).spec.conversion
        ?.webhook?.clientConfig?.caBundle;
    expect(await bundle()).toMatch(/^LS0t/);
    await client
      .resource(ShopV1beta1, "default")
      .create({ metadata: { name: "new" }, spec: { domain: "new.example.com" } });
    await expect.poll(() => seen.get("new")).toEqual({ host: "new.example.com" });
    const { items } = await client.resource(ShopV1beta1, "default").list();
    const asBeta = items.find(({ metadata }) => metadata.name === "new");
    expect([asBeta?.apiVersion, asBeta?.spec]).toEqual([
      "example.com/v1beta1",
      { domain: "new.example.com" },
    ]);
  });

  test("CC10: migrateStorage rewrites every object in the new storage version and prunes the old one", async () => {
    await start({ handlers: [converted] });
    const definitions = client.resource(CustomResourceDefinition);
    await definitions.modify("shops.example.com", (draft) => {
      draft.spec.versions = definition("v1beta1").spec.versions as typeof draft.spec.versions;
    });
    const stored = async () => (await definitions.get("shops.example.com")).status?.storedVersions;
    await expect.poll(stored).toEqual(["v1", "v1beta1"]);
    const before = (await shops().list()).items;
    const pages: number[] = [];
    const { rewritten, storedVersion } = await migrateStorage(client, Shop, {
      pageSize: 2,
      onProgress: (progress) => pages.push(progress.rewritten),
    });
    expect([rewritten, storedVersion]).toEqual([before.length, "v1beta1"]);
    expect([pages.length, await stored()]).toEqual([Math.ceil(before.length / 2), ["v1beta1"]]);
    const after = (await shops().list()).items;
    const kept = (all: typeof before) =>
      all.filter(({ metadata }) => ["big", "new", "tea"].includes(metadata.name));
    expect(kept(after).map(({ spec }) => spec)).toEqual(kept(before).map(({ spec }) => spec));
    const changed = after.filter(
      ({ metadata }, at) => metadata.resourceVersion !== before[at]?.metadata.resourceVersion,
    );
    expect(changed.length).toBe(before.length);
  });

  test("CA16: other kinds are not touched by the webhooks of shops", async () => {
    await start({ handlers: [hooks] });
    await client.resource(ConfigMap, "default").create({ metadata: { name: "free" } });
  });
});
