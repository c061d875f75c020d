import { ConfigMap, Event as CoreEvent } from "@typekube/api/core/v1";
import { Event } from "@typekube/api/events/v1";
import { findAssets } from "@typekube/test-support/real-server/assets";
import { type RealServer, startRealServer } from "@typekube/test-support/real-server/real-server";
import { type Client, connect } from "typekube";
import { createEventRecorder } from "typekube/controller";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const hasReal = (await findAssets()) !== undefined;

describe.runIf(hasReal)("events on a real API server", () => {
  let server: RealServer;
  let client: Client;
  const drops: string[] = [];
  const onDrop = (reason: string) => drops.push(reason);

  beforeAll(async () => {
    server = (await startRealServer()) as RealServer;
    client = await connect(server.connectOptions());
  });
  afterAll(async () => {
    await client?.close();
    await server?.close();
  });

  async function created(name: string) {
    return client.resource(ConfigMap, "default").create({ metadata: { name } });
  }

  test("CE1, CE3, CE5, CE7: the server stores events, their counts and their newest notes", async () => {
    const object = await created("tea");
    const events = createEventRecorder({ client, controller: "shops", onDrop });
    for (let n = 1; n <= 4; n++) {
      events.normal(object, "Brewed", `pot ${n}`, { related: object });
      await expect
        .poll(async () => {
          const { items } = await client.resource(Event, "default").list();
          return items.find(({ reason }) => reason === "Brewed")?.note;
        })
        .toBe(n === 1 ? "pot 1" : "pot 2");
    }
    await events.close();
    const { items } = await client.resource(Event, "default").list();
    const brewed = items.filter(({ reason }) => reason === "Brewed");
    expect(brewed.length).toBe(1);
    expect(brewed[0]).toMatchObject({
      note: "pot 4",
      series: { count: 4 },
      reportingController: "shops",
      regarding: { kind: "ConfigMap", name: "tea", uid: object.metadata.uid },
    });
    expect(drops).toEqual([]);
  });

  test("CE2, CE3: occurrences at one moment are created with their count; a cut note is accepted", async () => {
    const object = await created("coffee");
    const events = createEventRecorder({ client, controller: "shops", onDrop });
    for (let n = 0; n < 3; n++) {
      events.warning(object, "Spilt", "☕".repeat(1_000));
    }
    events.normal({ ...object, metadata: { ...object.metadata, name: "system:a:b" } }, "Odd", "");
    await events.close();
    const { items } = await client.resource(Event, "default").list();
    expect(items.find(({ reason }) => reason === "Spilt")?.series?.count).toBe(3);
    expect(items.some(({ reason }) => reason === "Odd")).toBe(true);
    expect(drops).toEqual([]);
  });

  test("CE9: the server stores events of the classic recorder", async () => {
    const object = await created("milk");
    const events = createEventRecorder({ client, controller: "shops", style: "classic", onDrop });
    for (let n = 1; n <= 12; n++) {
      events.normal(object, "Poured", `cup ${n}`);
    }
    await events.close();
    const { items } = await client.resource(CoreEvent, "default").list();
    const poured = items.filter(({ reason }) => reason === "Poured");
    expect(poured.length).toBe(10);
    expect(poured.find(({ count }) => count === 3)?.message).toBe(
      "(combined from similar events): cup 12",
    );
    expect(drops).toEqual([]);
  });
});
