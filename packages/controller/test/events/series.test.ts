import { Namespace, Node } from "@typekube/api/core/v1";
import { Event } from "@typekube/api/events/v1";
import { expect, test } from "vitest";
import { eventsTest } from "./events-test.js";

const minuteMs = 60_000;

test("CE1: an event has the fields of client-go's events.k8s.io recorder", async () => {
  await using t = await eventsTest();
  const other = await t.client.resource(Namespace).get("default");
  t.events.normal(t.object, "Brewed", "a pot", { action: "Brewing", related: other });
  await t.settled();
  const [event] = await t.list();
  const { uid, resourceVersion } = t.object.metadata;
  expect(event).toMatchObject({
    type: "Normal",
    reason: "Brewed",
    action: "Brewing",
    note: "a pot",
    reportingController: "shops",
    reportingInstance: "shops-h1",
    regarding: {
      apiVersion: "v1",
      kind: "ConfigMap",
      name: "tea",
      namespace: "default",
      uid,
      resourceVersion,
    },
    related: { apiVersion: "v1", kind: "Namespace", name: "default" },
  });
  expect(event?.eventTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  expect(event?.metadata.name).toMatch(/^tea\.[0-9a-f]{16}$/);
  expect(event?.series).toBeUndefined();
});

test("CE1: an event about a cluster-wide object is in the namespace default", async () => {
  await using t = await eventsTest();
  const node = await t.client.resource(Node).create({ metadata: { name: "n1" } });
  t.events.warning(node, "Hot", "80 degrees");
  await t.settled();
  const [event] = await t.list("default");
  expect(event).toMatchObject({ type: "Warning", regarding: { kind: "Node", name: "n1" } });
});

test("CE2: the action is the reason by default; a long note is cut at the end of a character", async () => {
  await using t = await eventsTest();
  t.events.normal(t.object, "Brewed", `x${"☕".repeat(400)}`);
  t.events.normal(t.object, "Short", "☕".repeat(341));
  await t.settled();
  const events = await t.list();
  const long = events.find(({ reason }) => reason === "Brewed");
  expect(long?.action).toBe("Brewed");
  expect(long?.note).toBe(`x${"☕".repeat(340)}…`);
  expect(Buffer.byteLength(long?.note ?? "")).toBeLessThanOrEqual(1_024);
  expect(events.find(({ reason }) => reason === "Short")?.note).toBe("☕".repeat(341));
});

test("CE2: a reason or action that the API rejects, and an object without a name, are refused at once", async () => {
  await using t = await eventsTest();
  const refused = [
    () => t.events.normal(t.object, "R".repeat(129), ""),
    () => t.events.normal(t.object, "", ""),
    () => t.events.normal(t.object, "Fine", "", { action: "A".repeat(129) }),
    () => t.events.normal({ metadata: { name: "tea" } }, "Fine", ""),
    () => t.events.normal({ apiVersion: "v1", kind: "Pod", metadata: {} }, "Fine", ""),
  ];
  for (const refuse of refused) {
    expect(refuse).toThrow(expect.objectContaining({ code: "InvalidArgument" }));
  }
  t.events.normal(t.object, "R".repeat(128), "");
  await t.settled();
  expect(t.writes()).toEqual(["create events.k8s.io"]);
});

test("CE3, CE6: the second occurrence is a patch of the first; later ones are only counted", async () => {
  await using t = await eventsTest();
  for (let n = 0; n < 5; n++) {
    t.events.normal(t.object, "Brewed", "a pot");
    await t.advance(1_000);
  }
  expect(t.writes()).toEqual(["create events.k8s.io", "patch events.k8s.io"]);
  const [event] = await t.list();
  expect(event?.series?.count).toBe(2);
  t.events.warning(t.object, "Brewed", "a pot");
  t.events.normal(t.object, "Spilt", "a pot");
  t.events.normal(t.object, "Brewed", "a pot", { action: "Cooking" });
  t.events.normal(t.object, "Brewed", "a pot", { related: t.object });
  await t.settled();
  expect((await t.list()).length).toBe(5);
});

test("CE3: occurrences at the same moment become one request", async () => {
  await using t = await eventsTest();
  for (let n = 0; n < 3; n++) {
    t.events.normal(t.object, "Brewed", "a pot");
  }
  await t.settled();
  expect(t.writes()).toEqual(["create events.k8s.io"]);
  expect((await t.list())[0]?.series?.count).toBe(3);
});

test("CE4: with client-go's interval a series is patched after 30 min, and a last time 6 min after its end", async () => {
  await using t = await eventsTest({ countEveryMs: 30 * minuteMs });
  for (let n = 0; n < 8; n++) {
    t.events.normal(t.object, "Brewed", "a pot");
    await t.advance(5 * minuteMs);
  }
  // After 0 and 5 min, and 30 min after that.
  expect(t.writes().length).toBe(3);
  expect((await t.list())[0]?.series?.count).toBe(7);
  t.events.normal(t.object, "Brewed", "a pot");
  await t.advance(minuteMs);
  expect((await t.list())[0]?.series?.count).toBe(7);
  await t.advance(5 * minuteMs);
  expect((await t.list())[0]?.series?.count).toBe(9);
  t.events.normal(t.object, "Brewed", "a pot");
  await t.settled();
  expect((await t.list()).length).toBe(2);
});

test("CE4: an event that occurred once is forgotten after 6 min, without a request", async () => {
  await using t = await eventsTest();
  t.events.normal(t.object, "Brewed", "a pot");
  await t.advance(6 * minuteMs);
  expect(t.writes().length).toBe(1);
  t.events.normal(t.object, "Brewed", "a pot");
  await t.settled();
  expect(t.writes()).toEqual(["create events.k8s.io", "create events.k8s.io"]);
});

test("CE5: while it grows, a count is written at 2 and then once a minute", async () => {
  await using t = await eventsTest();
  for (let n = 0; n < 600; n++) {
    t.events.normal(t.object, "Brewed", "a pot");
    await t.api.clock.advance(1_000);
    await t.api.settled();
  }
  // One create, the patch at 2, one per minute.
  expect(t.writes().length).toBeGreaterThanOrEqual(11);
  expect(t.writes().length).toBeLessThanOrEqual(12);
  expect((await t.list())[0]?.series?.count).toBeGreaterThan(540);
  await t.advance(minuteMs);
  expect((await t.list())[0]?.series?.count).toBe(600);
  const before = t.writes().length;
  await t.advance(60 * minuteMs);
  expect(t.writes().length).toBe(before);
});

test("CE7: a series shows its newest note", async () => {
  await using t = await eventsTest();
  t.events.normal(t.object, "Brewed", "pot 1");
  await t.settled();
  t.events.normal(t.object, "Brewed", "pot 2");
  await t.settled();
  const [event] = await t.list();
  expect(event).toMatchObject({ note: "pot 2", series: { count: 2 } });
  // events.k8s.io declares the note immutable, the core group does not.
  expect(t.writes()).toEqual(["create events.k8s.io", "patch "]);
});

test("CE7: without a right to core events the first note stays, and counts go on", async () => {
  await using t = await eventsTest();
  t.api.fault({
    resource: "events",
    verb: "patch",
    when: ({ group }) => group === "",
    status: 403,
    times: Number.POSITIVE_INFINITY,
  });
  for (let n = 1; n <= 3; n++) {
    t.events.normal(t.object, "Brewed", `pot ${n}`);
    await t.advance(minuteMs);
  }
  const [event] = await t.list();
  expect(event).toMatchObject({ note: "pot 1", series: { count: 3 } });
  expect(t.writes().filter((one) => one === "patch ").length).toBe(1);
});

test("CE8: an object that changed in the meantime continues the series", async () => {
  await using t = await eventsTest();
  t.events.normal(t.object, "Brewed", "a pot");
  await t.settled();
  const changed = { ...t.object, metadata: { ...t.object.metadata, resourceVersion: "999" } };
  t.events.normal(changed, "Brewed", "a pot");
  await t.settled();
  const events = await t.list();
  expect(events.length).toBe(1);
  expect(events[0]?.series?.count).toBe(2);
});

test("CE4: an event that the server has dropped in the meantime is created again", async () => {
  await using t = await eventsTest();
  t.events.normal(t.object, "Brewed", "a pot");
  await t.settled();
  const [event] = await t.list();
  await t.client.resource(Event, "default").delete(event?.metadata.name ?? "");
  t.events.normal(t.object, "Brewed", "a pot");
  await t.settled();
  expect((await t.list())[0]?.series?.count).toBe(2);
  expect(t.writes().at(-1)).toBe("create events.k8s.io");
});
