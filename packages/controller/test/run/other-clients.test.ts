import { ConfigMap } from "@typekube/api/core/v1";
import { type ApiServer, startApiServer, type VirtualClock } from "@typekube/apiserver";
import { defineController } from "@typekube/controller";
import { type Client, connect, type Informer, type KubeError } from "typekube";
import { expect, test } from "vitest";
import { Shop } from "../shop.js";
import { gate, shopTest } from "../shop-test.js";

/** Returns another cluster on the clock of a test, and a client of it. */
async function otherCluster(clock: VirtualClock) {
  const api: ApiServer = await startApiServer({ seed: 2 });
  const client = await connect({ transport: api, clock });
  return {
    client,
    configs: client.resource(ConfigMap, "default"),
    async [Symbol.asyncDispose]() {
      await client.close();
      await api.close();
    },
  };
}

const image = (config: ConfigMap | undefined) => config?.data?.["image"];
const config = (name: string, text: string) => ({ metadata: { name }, data: { image: text } });

test("CR25: a write to another cluster is not read as an own write of this one", async () => {
  let other: Client | undefined;
  const read: unknown[] = [];
  const controller = defineController(Shop, {
    reads: [ConfigMap],
    consistency: "wait",
    async reconcile(_, run) {
      await other?.resource(ConfigMap, "default").create(config("theirs", "there"));
      const ours = await other?.resource(ConfigMap, "default").apply(config("ours", "there"));
      read.push(image(ours), image(run.get(ConfigMap, "ours")), run.get(ConfigMap, "theirs"));
    },
  });
  await using t = await shopTest(controller);
  await using cluster = await otherCluster(t.clock);
  for (let n = 0; n < 200; n += 1) {
    // Its resourceVersions are ahead of ours.
    await cluster.configs.create(config(`c${n}`, ""));
  }
  other = cluster.client;
  await t.client.resource(ConfigMap, "default").create(config("ours", "here"));
  await t.open("tea");
  expect(read).toEqual(["there", "here", undefined]);
});

test("CR25: a write of a client derived from the manager's is read as an own write", async () => {
  let derived: Client | undefined;
  const read: unknown[] = [];
  const controller = defineController(Shop, {
    reads: [ConfigMap],
    async reconcile(_, run) {
      await derived?.resource(ConfigMap, "default").create(config("ours", "new"));
      read.push(image(run.get(ConfigMap, "ours")));
    },
  });
  await using t = await shopTest(controller);
  derived = t.client.with({ fieldManager: "me" });
  using hold = t.api.hold({ resource: "configmaps" });
  await t.open("tea");
  hold.end();
  expect(read).toEqual(["new"]);
});

test("CL13: a run over time sends nothing to another cluster either, whose client works outside of it", async () => {
  let other: Client | undefined;
  const refused: unknown[] = [];
  let informer: Informer<ConfigMap> | undefined;
  const waits = gate();
  const overTime = gate();
  const controller = defineController(Shop, {
    timeoutMs: 1_000,
    retry: { maxAttempts: 1 },
    async reconcile(_, run) {
      informer ??= other?.informer(ConfigMap);
      await informer?.synced();
      run.signal.addEventListener("abort", overTime.open);
      waits.open();
      await overTime.passed;
      await other
        ?.resource(ConfigMap, "default")
        .create(config("late", ""))
        .catch((error: KubeError) => refused.push(error.code));
    },
  });
  await using t = await shopTest(controller);
  await using cluster = await otherCluster(t.clock);
  other = cluster.client;
  await t.client.resource(Shop, "default").create({ metadata: { name: "tea" }, spec: {} });
  await waits.passed;
  await t.clock.advance(1_000);
  await t.settled();
  expect(refused).toEqual(["DeadlineExceeded"]);
  await cluster.configs.create(config("outside", ""));
  await expect.poll(() => informer?.get("default/outside")).toBeDefined();
  expect(informer?.get("default/late")).toBe(undefined);
  await informer?.close();
});
