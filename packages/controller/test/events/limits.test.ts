import { Namespace } from "@typekube/api/core/v1";
import { Event } from "@typekube/api/events/v1";
import { defineController } from "@typekube/controller";
import { expect, test } from "vitest";
import { Shop } from "../shop.js";
import { shopTest } from "../shop-test.js";
import { eventsTest } from "./events-test.js";

const minuteMs = 60_000;

test("CE10: each reason of an object has a budget of 25 new events, and one more a minute", async () => {
  await using t = await eventsTest();
  for (let n = 0; n < 100; n++) {
    t.events.normal(t.object, "Pulling", `image ${n}`, { separateNotes: true });
  }
  t.events.normal(t.object, "Created", "all of it");
  await t.settled();
  const reasons = async () => (await t.list()).map(({ reason }) => reason);
  expect((await reasons()).filter((one) => one === "Pulling").length).toBe(25);
  expect(await reasons()).toContain("Created");
  expect(t.drops).toEqual(Array(75).fill("budget"));
  expect(t.log.filter(({ level }) => level === "warn").length).toBe(1);
  await t.advance(minuteMs);
  for (let n = 100; n < 103; n++) {
    t.events.normal(t.object, "Pulling", `image ${n}`, { separateNotes: true });
  }
  await t.settled();
  expect((await reasons()).filter((one) => one === "Pulling").length).toBe(26);
});

test("CE10: repetitions cost no budget: they are counted", async () => {
  await using t = await eventsTest();
  for (let n = 0; n < 1_000; n++) {
    t.events.normal(t.object, "Pulling", "the image");
  }
  await t.settled();
  expect(t.drops).toEqual([]);
  expect((await t.list())[0]?.series?.count).toBe(1_000);
});

test("CE10: a missing right is reported once and never tried again", async () => {
  await using t = await eventsTest();
  t.api.fault({ resource: "events", status: 403, times: Number.POSITIVE_INFINITY });
  for (let n = 0; n < 5; n++) {
    t.events.normal(t.object, `Reason${n}`, "");
  }
  await t.advance(10 * minuteMs);
  expect(t.writes().length).toBe(5);
  expect(t.drops).toEqual(Array(5).fill("rejected"));
  const lines = t.log.map(({ message }) => message);
  expect(lines.length).toBe(1);
  expect(lines[0]).toMatch(/create and patch for events/);
});

test("CE10: a namespace that is being deleted is reported once and never tried again", async () => {
  await using t = await eventsTest();
  const namespaces = t.client.resource(Namespace);
  await namespaces.create({ metadata: { name: "closing" } });
  await namespaces.delete("closing");
  const object = { ...t.object, metadata: { ...t.object.metadata, namespace: "closing" } };
  t.events.normal(object, "One", "");
  t.events.normal(object, "Two", "");
  await t.advance(10 * minuteMs);
  expect(t.writes().length).toBe(2);
  expect(t.drops).toEqual(["rejected", "rejected"]);
  expect(t.log.length).toBe(1);
});

test("CE11: an event is tried 12 times, 10 to 12.5 s apart, while the server cannot be reached", async () => {
  await using t = await eventsTest();
  const times: number[] = [];
  t.api.fault({
    resource: "events",
    reset: "before",
    times: Number.POSITIVE_INFINITY,
    when: () => times.push(t.api.clock.now()) > 0,
  });
  t.events.normal(t.object, "Brewed", "a pot");
  await t.settled();
  for (let s = 0; s < 200; s++) {
    await t.advance(1_000);
  }
  expect(t.drops).toEqual(["retries"]);
  const seconds = [...new Set(times.map((time) => Math.floor(time / 5_000)))];
  expect(seconds.length).toBeGreaterThanOrEqual(12);
  const after = times.length;
  await t.advance(30 * minuteMs);
  expect(times.length).toBe(after);
});

test("CE11: a queue of 1,000 events is full: the newest are dropped and counted, and recording never waits", async () => {
  await using t = await eventsTest();
  const fault = t.api.fault({ resource: "events", hang: true, times: Number.POSITIVE_INFINITY });
  for (let n = 0; n < 1_100; n++) {
    t.events.normal(t.object, `Reason${n}`, "");
  }
  expect(t.drops).toEqual(Array(100).fill("queue_full"));
  expect(t.log.length).toBe(1);
  fault.remove();
});

test("CE12: close writes pending events, counts that grew included", async () => {
  await using t = await eventsTest();
  for (let n = 0; n < 4; n++) {
    t.events.normal(t.object, "Brewed", "a pot");
    await t.settled();
  }
  t.events.normal(t.object, "Closed", "");
  await t.events.close();
  const events = await t.list();
  expect(events.find(({ reason }) => reason === "Brewed")?.series?.count).toBe(4);
  expect(events.find(({ reason }) => reason === "Closed")).toBeDefined();
  t.events.normal(t.object, "TooLate", "");
  expect(t.drops).toEqual(["stopped"]);
});

test("CE12: close ends after 2 s and counts the events that it drops", async () => {
  await using t = await eventsTest();
  t.api.fault({ resource: "events", reset: "before", times: Number.POSITIVE_INFINITY });
  for (let n = 0; n < 3; n++) {
    t.events.normal(t.object, `Reason${n}`, "");
  }
  const closed = t.events.close();
  let isClosed = false;
  void closed.then(() => {
    isClosed = true;
  });
  await t.advance(1_999);
  expect(isClosed).toBe(false);
  await t.advance(1);
  await closed;
  expect(t.drops).toEqual(["stopped", "stopped", "stopped"]);
});

test("CE12: a manager that stops writes the events of its last runs", async () => {
  const controller = defineController(Shop, {
    reconcile(shop, run) {
      run.events.normal(shop, "Opened", "at last");
    },
  });
  await using t = await shopTest(controller);
  await t.client.resource(Shop, "default").create({ metadata: { name: "tea" } });
  await t.settled();
  await t.manager.stop();
  const events = await t.client.resource(Event, "default").list();
  expect(events.items.map(({ reason }) => reason)).toEqual(["Opened"]);
  expect(events.items[0]?.regarding).toMatchObject({ kind: "Shop", apiVersion: "example.com/v1" });
});

test("CE12: a short grace is enough for a manager whose events cannot be written", async () => {
  const controller = defineController(Shop, {
    reconcile(shop, run) {
      run.events.normal(shop, "Opened", "at last");
    },
  });
  await using t = await shopTest(controller, { manager: { graceMs: 1_000 } });
  t.api.fault({ resource: "events", hang: true, times: Number.POSITIVE_INFINITY });
  await t.client.resource(Shop, "default").create({ metadata: { name: "tea" } });
  await expect.poll(() => t.runs().length).toBe(1);
  const stopped = t.manager.stop();
  await t.api.clock.advance(500);
  await stopped;
  await t.manager.done;
  expect(t.lines("warn").at(-1)).toMatch(/events were dropped at the stop/);
});

test("CE13: failed runs are Warning events, one per message, each with its count", async () => {
  let message = "no tea";
  const controller = defineController(Shop, {
    retry: { jitter: 0 },
    reconcile() {
      throw new Error(message);
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  await t.advance(5);
  message = "no milk";
  await t.advance(10);
  await t.manager.stop();
  const { items } = await t.client.resource(Event, "default").list();
  const shown = items.map(({ type, reason, action, note, series }) => [
    type,
    reason,
    action,
    note,
    series?.count,
  ]);
  expect(shown.sort()).toEqual([
    ["Warning", "ReconcileFailed", "Reconciling", "no milk", undefined],
    ["Warning", "ReconcileFailed", "Reconciling", "no tea", 2],
  ]);
});

test("CE13: failureEvents: false, and events: off, record nothing about failed runs", async () => {
  const fails = { reconcile: () => Promise.reject(new Error("no")) };
  const quiet = defineController(Shop, { ...fails, failureEvents: false });
  await using t = await shopTest(quiet);
  await t.open("tea");
  expect((await t.client.resource(Event, "default").list()).items).toEqual([]);
  await using off = await shopTest(defineController(Shop, fails), { manager: { events: "off" } });
  await off.open("tea");
  expect((await off.client.resource(Event, "default").list()).items).toEqual([]);
});

test("CE10: events are no part of the run that records them: its stop and its time limit do not concern them", async () => {
  const controller = defineController(Shop, {
    timeoutMs: 1_000,
    reconcile(shop, run) {
      run.events.normal(shop, "Opened", "");
      return new Promise((_, reject) => {
        run.signal.addEventListener("abort", () => reject(run.signal.reason));
      });
    },
  });
  await using t = await shopTest(controller);
  t.api.fault({ resource: "events", delayMs: 5_000 });
  await t.client.resource(Shop, "default").create({ metadata: { name: "tea" } });
  await t.api.settled();
  await t.api.clock.advance(6_000);
  await t.api.settled();
  const { items } = await t.client.resource(Event, "default").list();
  expect(items.map(({ reason }) => reason)).toContain("Opened");
});
