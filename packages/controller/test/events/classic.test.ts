import { expect, test } from "vitest";
import { eventsTest } from "./events-test.js";

const minuteMs = 60_000;

test("CE9: the classic recorder counts an event of the core group", async () => {
  await using t = await eventsTest({ style: "classic" });
  for (let n = 0; n < 3; n++) {
    t.events.warning(t.object, "Spilt", "hot");
    await t.advance(2_000);
  }
  const events = await t.listCore();
  expect(events.length).toBe(1);
  expect(events[0]).toMatchObject({
    type: "Warning",
    reason: "Spilt",
    message: "hot",
    count: 3,
    source: { component: "shops", host: "h1" },
    involvedObject: { kind: "ConfigMap", name: "tea", uid: t.object.metadata.uid },
  });
  expect(events[0]?.lastTimestamp).not.toBe(events[0]?.firstTimestamp);
  expect(t.writes()).toEqual(["create ", "patch ", "patch "]);
});

test("CE9: from the tenth different note within 10 min on, events are combined", async () => {
  await using t = await eventsTest({ style: "classic" });
  for (let n = 1; n <= 12; n++) {
    t.events.normal(t.object, "Brewed", `pot ${n}`);
    await t.settled();
  }
  const events = await t.listCore();
  expect(events.length).toBe(10);
  const combined = events.find(({ message }) => message?.startsWith("(combined"));
  expect(combined).toMatchObject({
    message: "(combined from similar events): pot 12",
    count: 3,
  });
  await t.advance(10 * minuteMs + 1_000);
  t.events.normal(t.object, "Brewed", "pot 13");
  await t.settled();
  expect((await t.listCore()).some(({ message }) => message === "pot 13")).toBe(true);
});

test("CE9: 25 events at once, then one per 5 min, of one type about one object", async () => {
  await using t = await eventsTest({ style: "classic" });
  for (let n = 0; n < 40; n++) {
    t.events.normal(t.object, `Reason${n}`, "");
  }
  t.events.warning(t.object, "Other", "of another type");
  await t.settled();
  expect((await t.listCore()).length).toBe(26);
  expect(t.drops.length).toBe(15);
  await t.advance(5 * minuteMs);
  t.events.normal(t.object, "Reason40", "");
  t.events.normal(t.object, "Reason41", "");
  await t.settled();
  expect((await t.listCore()).length).toBe(27);
});
