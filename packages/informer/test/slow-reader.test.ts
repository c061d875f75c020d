import { setImmediate as turn } from "node:timers/promises";
import type { KubeObject } from "@typekube/api";
import { ConfigMap } from "@typekube/api/core/v1";
import { createVirtualClock, startApiServer } from "@typekube/apiserver";
import { mergePatch } from "@typekube/client";
import type { WireWatchEvent } from "@typekube/core/internal";
import { type FollowEvent, type FollowOptions, follow } from "@typekube/informer";
import { followSource } from "@typekube/informer/internal";
import { connect } from "typekube";
import { describe, expect, it } from "vitest";
import { list, pod, ScriptedSource } from "./scripted-source.js";
import { added, bookmark, deleted, modified } from "./wire-events.js";

const pods = (count: number, version = 1) =>
  Array.from({ length: count }, (_, i) => pod(`p${i}`, version));

/** Returns the objects known to a reader that applies the events. */
function rebuild(events: readonly FollowEvent[]) {
  const known = new Map<string, string>();
  let snapshot = new Map<string, string>();
  let isSnapshot = true;
  for (const event of events) {
    const into = isSnapshot ? snapshot : known;
    switch (event.type) {
      case "initial":
      case "applied":
        into.set(event.object.metadata.name, event.object.metadata.resourceVersion);
        break;
      case "deleted":
        into.delete(event.object.metadata.name);
        break;
      case "gap":
        isSnapshot = true;
        snapshot = new Map();
        break;
      case "synced":
        isSnapshot = false;
        known.clear();
        for (const [name, version] of snapshot) {
          known.set(name, version);
        }
        break;
      default:
    }
  }
  return Object.fromEntries([...known].sort());
}

const line = (event: FollowEvent) =>
  "object" in event
    ? `${event.type} ${event.object.metadata.name} ${event.object.metadata.resourceVersion}`
    : event.type;

/** Runs everything that needs no time: events are coalesced only after the reader had a chance to read. */
async function turns(): Promise<void> {
  for (let i = 0; i < 50; i++) {
    await turn();
  }
}

/** Runs a reader that stops at the end of the first snapshot while a script plays, and then reads everything. */
async function standStill(source: ScriptedSource, options: FollowOptions = {}) {
  const clock = createVirtualClock();
  const stop = new AbortController();
  const events: FollowEvent[] = [];
  const iterator = followSource(
    source,
    { streamingList: false, random: () => 0, ...options, signal: stop.signal },
    clock,
  )[Symbol.asyncIterator]();
  do {
    events.push((await iterator.next()).value);
  } while (events.at(-1)?.type !== "synced");
  await turns();
  const openWhileStill = source.open;
  const reading = (async () => {
    for (;;) {
      const result = await iterator.next();
      if (result.done) {
        return;
      }
      events.push(result.value);
    }
  })();
  await turns();
  stop.abort();
  await reading;
  return {
    events,
    unread: events.slice(events.findIndex(({ type }) => type === "synced") + 1),
    openWhileStill,
  };
}

describe("a reader of follow that stands still", () => {
  it("N14: reads 10,000 events of 50 objects from the server at once, and yields the last state of each in order", async () => {
    const batches = Array.from({ length: 10_000 }, (_, i) => [modified(pod(`p${i % 50}`, i + 2))]);
    const source = new ScriptedSource({ lists: [list(1, ...pods(50))], watches: [{ batches }] });
    const { events, unread, openWhileStill } = await standStill(source);
    expect(openWhileStill).toBe(1);
    // At most twice the limit is held.
    expect(unread.length).toBeLessThanOrEqual(2_000);
    const versions = unread.map((event) =>
      "object" in event ? Number(event.object.metadata.resourceVersion) : 0,
    );
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
    const last = Object.fromEntries(
      Array.from({ length: 50 }, (_, i) => [`p${i}`, String(9_952 + i)]).sort(),
    );
    expect(rebuild(events)).toEqual(last);
    expect(source.lists).toHaveLength(1);
  });

  it("N14: a reader that does nothing else gets every event, however many arrive at once", async () => {
    const batches = Array.from({ length: 500 }, (_, i) =>
      Array.from({ length: 20 }, (_, j) => modified(pod("p0", 2 + i * 20 + j))),
    );
    const source = new ScriptedSource({ lists: [list(1, ...pods(1))], watches: [{ batches }] });
    let events = 0;
    for await (const event of followSource(source, { streamingList: false })) {
      events++;
      if (event.type === "applied" && event.object.metadata.resourceVersion === "10001") {
        break;
      }
    }
    expect(events).toBe(10_002);
  });

  it("N14: below the limit each event is read as it came", async () => {
    const events = Array.from({ length: 999 }, (_, i) => modified(pod("p0", i + 2)));
    const batches = [events.slice(0, 1), events.slice(1)];
    const source = new ScriptedSource({ lists: [list(1, ...pods(1))], watches: [{ batches }] });
    const { unread } = await standStill(source);
    expect(unread).toHaveLength(999);
  });

  it("N14: omits objects that came and went unread, but not the deletion of a known one, or its successor", async () => {
    const batches: WireWatchEvent[][] = [
      [added(pod("brief", 2))],
      [
        modified(pod("brief", 3)),
        deleted(pod("brief", 4)),
        deleted(pod("p0", 5)),
        added(pod("p0", 6, { uid: "another" })),
        modified(pod("p0", 7, { uid: "another" })),
        bookmark(8),
        added(pod("stays", 9)),
        deleted(pod("p1", 10)),
        bookmark(11),
      ],
    ];
    const source = new ScriptedSource({ lists: [list(1, ...pods(2))], watches: [{ batches }] });
    const { unread } = await standStill(source, { maxBufferedEvents: 1 });
    expect(unread.map(line)).toEqual([
      "deleted p0 5",
      "applied p0 7",
      "applied stays 9",
      "deleted p1 10",
      "bookmark",
    ]);
    expect(unread.map((event) => event.type === "applied" && event.created)).toEqual([
      false,
      true,
      true,
      false,
      false,
    ]);
  });

  it("N14: an object that a server adds twice was not new: its deletion is delivered", async () => {
    const batches = [[added(pod("p0", 1))], [deleted(pod("p0", 6)), bookmark(7)]];
    const source = new ScriptedSource({ lists: [list(1, ...pods(1))], watches: [{ batches }] });
    const { unread } = await standStill(source, { maxBufferedEvents: 1 });
    expect(unread.map(line)).toEqual(["deleted p0 6", "bookmark"]);
  });

  it("N14: drops changes of too many objects and stops reading; then a gap and a snapshot at the known position", async () => {
    const batches = Array.from({ length: 500 }, (_, i) => [added(pod(`n${i}`, i + 2))]);
    const source = new ScriptedSource({
      lists: [list(1, ...pods(2)), list(900, ...pods(1, 700), pod("last", 900))],
      watches: [{ batches }],
    });
    const errors: string[] = [];
    const { events, unread, openWhileStill } = await standStill(source, {
      maxBufferedEvents: 10,
      maxBufferedObjects: 100,
      onError: ({ code }) => errors.push(code),
    });
    expect(openWhileStill).toBe(0);
    expect(unread.map(line)).toEqual(["gap", "initial p0 700", "initial last 900", "synced"]);
    expect(unread[0]).toMatchObject({ cause: { code: "TooLarge" } });
    expect(errors).toEqual(["TooLarge"]);
    expect(rebuild(events)).toEqual({ p0: "700", last: "900" });
    // Not older than what was read from the server before reading stopped.
    expect(Number(source.listVersions[1])).toBeGreaterThan(100);
  });

  it("N14: reads a snapshot completely, and does not drop its unread events for later changes", async () => {
    const batches = Array.from({ length: 5_000 }, (_, i) => [added(pod(`n${i}`, i + 2))]);
    const source = new ScriptedSource({
      lists: [list(1, ...pods(3_000)), list(9_000)],
      watches: [{ batches }],
    });
    const clock = createVirtualClock();
    const stop = new AbortController();
    const events: FollowEvent[] = [];
    const options = { streamingList: false, maxBufferedEvents: 10, maxBufferedObjects: 1_000 };
    const iterator = followSource(source, { ...options, signal: stop.signal }, clock)[
      Symbol.asyncIterator
    ]();
    events.push((await iterator.next()).value);
    await turns();
    while (events.filter(({ type }) => type === "synced").length < 2) {
      events.push((await iterator.next()).value);
    }
    stop.abort();
    expect(events.map(({ type }) => type)).toEqual([
      ...Array.from({ length: 3_000 }, () => "initial"),
      "synced",
      "gap",
      "synced",
    ]);
  });

  it("N14, T7: leaves nothing open when it ends while it stands still", async () => {
    for (const maxBufferedObjects of [10, 10_000]) {
      const batches = Array.from({ length: 500 }, (_, i) => [added(pod(`n${i}`, i + 2))]);
      const source = new ScriptedSource({ lists: [list(1)], watches: [{ batches }] });
      const clock = createVirtualClock();
      const limits = { maxBufferedEvents: 10, maxBufferedObjects };
      const iterator = followSource(source, { streamingList: false, ...limits }, clock)[
        Symbol.asyncIterator
      ]();
      await iterator.next();
      await turns();
      await iterator.return?.();
      expect([source.open, clock.pending]).toEqual([0, 0]);
    }
  });

  it("N14: coalesced events lead the reader to the same result (300 seeds)", async () => {
    for (let seed = 1; seed <= 300; seed++) {
      let state = seed;
      const random = (below: number) => {
        state = (state * 48_271) % 2_147_483_647;
        return state % below;
      };
      const alive = new Map<string, KubeObject>();
      const events: WireWatchEvent[] = [];
      for (let version = 2; version < 150; version++) {
        const name = `p${random(8)}`;
        const known = alive.get(name);
        if (known === undefined) {
          const object = pod(name, version, { uid: `${name}-${version}` });
          alive.set(name, object);
          events.push(added(object));
        } else if (random(3) === 0) {
          alive.delete(name);
          events.push(
            deleted({
              ...known,
              metadata: { ...known.metadata, resourceVersion: String(version) },
            }),
          );
        } else {
          const metadata = { ...known.metadata, resourceVersion: String(version) };
          alive.set(name, { ...known, metadata } as KubeObject);
          events.push(modified({ ...known, metadata }));
        }
        if (random(10) === 0) {
          events.push(bookmark(version));
        }
      }
      const source = new ScriptedSource({
        lists: [list(1)],
        watches: [{ batches: events.map((event) => [event]) }],
      });
      const received = await standStill(source, { maxBufferedEvents: 1 + random(20) });
      const expected = [...alive].map(([name, object]) => [name, object.metadata?.resourceVersion]);
      expect([seed, rebuild(received.events)]).toEqual([seed, Object.fromEntries(expected.sort())]);
    }
  });

  it("N14: over a socket, the watch is read to its end while no events are taken", async () => {
    await using api = await startApiServer();
    const listener = await api.listen();
    await using writer = await api.client();
    await using client = await connect(listener.connectOptions());
    const configMaps = writer.resource(ConfigMap, "default");
    await configMaps.create({ metadata: { name: "a" } });
    const stop = new AbortController();
    const events: FollowEvent<ConfigMap>[] = [];
    const iterator = follow(client, ConfigMap, { namespace: "default", signal: stop.signal })[
      Symbol.asyncIterator
    ]();
    do {
      events.push((await iterator.next()).value);
    } while (events.at(-1)?.type !== "synced");
    let last = "";
    // More than sockets and streams buffer: 15 MB.
    const filler = "x".repeat(10_000);
    for (let i = 0; i < 1_500; i++) {
      const patch = mergePatch({ data: { count: String(i), filler } });
      last = (await configMaps.patch("a", patch)).metadata.resourceVersion;
      await turn();
    }
    // Give data in flight its turns: in-process writes are faster than a socket.
    for (let turns = 0; turns < 10_000; turns++) {
      await turn();
    }
    let read = 0;
    for (;;) {
      const { value } = await iterator.next();
      read++;
      if (value.type === "applied" && value.object.metadata.resourceVersion === last) {
        break;
      }
    }
    stop.abort();
    expect(read).toBeLessThan(1_500);
    expect(api.requests.filter(({ verb }) => verb === "watch")).toHaveLength(1);
  });
});
