import { hasSubscribers } from "node:diagnostics_channel";
import { Agent, request } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { defineController, startManager } from "@typekube/controller";
import { expect, test } from "vitest";
import { EventLoopLag } from "../../src/health/event-loop-lag.js";
import { get } from "../metrics/metrics-test.js";
import { Shop } from "../shop.js";
import { gate, type ShopTest, shopTest } from "../shop-test.js";

const shops = defineController(Shop, { reconcile() {} });
const address = { port: 0, host: "127.0.0.1" };

function probe(t: ShopTest, path: string) {
  return get(t.manager.ports.health, path);
}

test("CM8: healthz and readyz say ok, and list their checks with ?verbose", async () => {
  await using t = await shopTest(shops, { manager: { health: address } });
  const plain = await probe(t, "/healthz");
  expect([plain.status, plain.body]).toEqual([200, "ok"]);
  expect(plain.headers["content-type"]).toBe("text/plain; charset=utf-8");
  expect((await probe(t, "/healthz?verbose")).body).toBe(
    "[+]event-loop ok\n[+]leader-election ok\n[+]ping ok\nhealthz check passed\n",
  );
  expect((await probe(t, "/readyz/?verbose=1")).body).toBe(
    "[+]caches-synced ok\n[+]informers-not-stalled ok\n[+]running ok\n[+]webhooks ok\nreadyz check passed\n",
  );
  expect((await probe(t, "/healthz/ping")).body).toBe("ok");
  expect((await probe(t, "/healthz/unknown")).status).toBe(404);
  expect((await probe(t, "/elsewhere")).status).toBe(404);
});

test("CM8: a failed check is a 500 that withholds the reason; ?exclude leaves a check out", async () => {
  await using t = await shopTest(shops, {
    manager: {
      health: {
        ...address,
        checks: {
          live: {
            database: () => Promise.reject(new Error("password rejected")),
          },
        },
      },
    },
  });
  const failed = await probe(t, "/healthz");
  expect(failed.status).toBe(500);
  expect(failed.body).toBe(
    "[-]database failed: reason withheld\n[+]event-loop ok\n[+]leader-election ok\n[+]ping ok\nhealthz check failed\n",
  );
  expect(t.lines("info")).toContain("/healthz: the check database failed: password rejected");
  const excluded = await probe(t, "/healthz?verbose&exclude=database&exclude=cheese");
  expect(excluded.status).toBe(200);
  expect(excluded.body).toBe(
    '[+]database excluded: ok\n[+]event-loop ok\n[+]leader-election ok\n[+]ping ok\nwarn: some health checks cannot be excluded: no matches for "cheese"\nhealthz check passed\n',
  );
  expect((await probe(t, "/healthz/database")).status).toBe(500);
  expect((await probe(t, "/readyz")).status).toBe(200);
});

test("CM9: readyz fails until the caches are complete; healthz does not", async () => {
  const held = gate();
  const port = await freePort();
  const seen: number[] = [];
  await using t = await shopTest(shops, {
    before: async (client, api) => {
      api.fault({ resource: "shops", verb: "list", status: 503, times: 3 });
      api.fault({ resource: "shops", verb: "watch", status: 503, times: 3 });
      const manager = startManager(client, {
        controllers: [defineController(Shop, { name: "other", reconcile() {} })],
        health: { port, host: "127.0.0.1" },
        log() {},
      });
      await expect
        .poll(async () => (await get(port, "/healthz").catch(() => undefined))?.status)
        .toBe(200);
      seen.push((await get(port, "/readyz")).status);
      await api.clock.advance(60_000);
      const started = await manager;
      seen.push((await get(port, "/readyz")).status);
      await started.stop();
      held.open();
    },
  });
  await held.passed;
  expect(seen).toEqual([500, 200]);
  expect(t.manager.ports).toEqual({});
});

test("CM9: an outage of the API server fails readyz after 5 min, and never healthz", async () => {
  await using t = await shopTest(shops, { manager: { health: address } });
  t.api.fault({ resource: "shops", status: 503, times: Number.POSITIVE_INFINITY });
  await t.api.clock.advance(4 * 60_000);
  await t.api.settled();
  expect((await probe(t, "/readyz")).status).toBe(200);
  await t.api.clock.advance(30 * 60_000);
  await t.api.settled();
  const { status, body } = await probe(t, "/readyz");
  expect(status).toBe(500);
  expect(body).toContain("[-]informers-not-stalled failed");
  expect((await probe(t, "/healthz")).status).toBe(200);
});

test("CM9: the check of the event loop fails when a timer was more than 30 s late", () => {
  let now = 0;
  let fire = () => {};
  const lag = new EventLoopLag({
    now: () => now,
    schedule(_, callback) {
      fire = callback;
      return () => {};
    },
  });
  now = 5_000 + 29_000;
  fire();
  expect(() => lag.check()).not.toThrow();
  now += 5_000 + 31_000;
  // Before the late timer fires, and after it did.
  expect(() => lag.check()).toThrow("the event loop was blocked for 31 s");
  fire();
  expect(() => lag.check()).toThrow(/blocked/);
  now += 5_000;
  fire();
  expect(() => lag.check()).not.toThrow();
});

test("CM10: a check that hangs fails after 5 s, and never runs twice at once", async () => {
  const held = gate();
  let running = 0;
  let calls = 0;
  const signals: AbortSignal[] = [];
  await using t = await shopTest(shops, {
    manager: {
      health: {
        ...address,
        checks: {
          ready: {
            async slow(signal) {
              calls++;
              running++;
              signals.push(signal);
              expect(running).toBe(1);
              await held.passed;
              running--;
            },
          },
        },
      },
    },
  });
  const both = [probe(t, "/readyz"), probe(t, "/readyz/slow")];
  await expect.poll(() => calls).toBe(1);
  await t.api.clock.advance(5_000);
  expect((await Promise.all(both)).map(({ status }) => status)).toEqual([500, 500]);
  expect(signals[0]?.aborted).toBe(true);
  expect((await probe(t, "/readyz")).status).toBe(500);
  expect(calls).toBe(1);
  held.open();
  await expect.poll(async () => (await probe(t, "/readyz")).status).toBe(200);
  expect(calls).toBe(2);
});

test("CM11: one port serves health and metrics if both options name it; a taken port is an error", async () => {
  const port = await freePort();
  const both = { port, host: "127.0.0.1" };
  await using t = await shopTest(shops, { manager: { health: both, metrics: both } });
  expect(t.manager.ports).toEqual({ health: port, metrics: port });
  expect((await get(port, "/healthz")).status).toBe(200);
  expect((await get(port, "/metrics")).body).toContain("controller_runtime_active_workers");
  await expect(shopTest(shops, { manager: { health: both } })).rejects.toMatchObject({
    code: "Config",
    message: expect.stringContaining(`cannot listen on port ${port}`),
  });
});

test("CM12: readyz fails from the first moment of a stop, healthz answers until its end, and the port is closed", async () => {
  const held = gate();
  const slow = defineController(Shop, { reconcile: () => held.passed });
  await using t = await shopTest(slow, { manager: { health: address } });
  await t.client.resource(Shop, "default").create({ metadata: { name: "tea" } });
  await t.api.settled();
  const { health: port } = t.manager.ports;
  expect((await get(port, "/readyz")).status).toBe(200);
  const stopped = t.manager.stop();
  expect((await get(port, "/readyz")).status).toBe(500);
  expect((await get(port, "/healthz")).status).toBe(200);
  held.open();
  await stopped;
  await expect(get(port, "/healthz")).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test("CM2: a start that fails closes the ports that it opened", async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const { port } = taken.address() as AddressInfo;
  const free = await freePort();
  await expect(
    shopTest(shops, {
      manager: {
        health: { port: free, host: "127.0.0.1" },
        metrics: { port, host: "127.0.0.1" },
      },
    }),
  ).rejects.toMatchObject({ code: "Config" });
  await expect(get(free, "/healthz")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  await new Promise((resolve) => taken.close(resolve));
});

test("CM6: a stopped manager leaves no port, no connection and no subscriber behind", async () => {
  const before = resources();
  await using t = await shopTest(shops, { manager: { health: address, metrics: address } });
  const agent = new Agent({ keepAlive: true });
  const { health, metrics } = t.manager.ports;
  await kept(agent, health, "/healthz");
  await kept(agent, metrics, "/metrics");
  expect(hasSubscribers("typekube:request.response")).toBe(true);
  await t.manager.stop();
  expect(hasSubscribers("typekube:request.response")).toBe(false);
  agent.destroy();
  // Sockets of earlier tests may still be closing at the beginning.
  await expect.poll(() => resources().length).toBeLessThanOrEqual(before.length);
});

/** Sends a request over a connection that stays open. */
async function kept(agent: Agent, port: number | undefined, path: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    request({ host: "127.0.0.1", port, path, agent }, (response) => {
      response.resume().once("end", resolve);
    })
      .once("error", reject)
      .end();
  });
}

function resources(): string[] {
  return process
    .getActiveResourcesInfo()
    .filter((name) => /TCP|Server/.test(name))
    .sort();
}

/** Returns a port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
