import { setImmediate as turn } from "node:timers/promises";
import type { KubeObject } from "@typekube/api";
import { createVirtualClock } from "@typekube/apiserver";
import { KubeError } from "@typekube/core";
import type { FollowEvent, FollowOptions } from "@typekube/informer";
import { followSource } from "@typekube/informer/internal";
import { describe, expect, it } from "vitest";
import { type ListResponse, list, pod, ScriptedSource } from "./scripted-source.js";

const pods = (count: number, version = 1) =>
  Array.from({ length: count }, (_, i) => pod(`p${i}`, version));

/** An object of a server without resourceVersions, such as metrics-server. */
const usage = (name: string, cpu: string) =>
  ({ kind: "NodeMetrics", apiVersion: "v1", metadata: { name }, usage: { cpu } }) as KubeObject;

const line = (event: FollowEvent) => {
  switch (event.type) {
    case "applied":
      return `${event.created ? "created" : "applied"} ${event.object.metadata.name}`;
    case "initial":
    case "deleted":
      return `${event.type} ${event.object.metadata.name}`;
    case "gap":
      return `gap ${event.cause.code}`;
    default:
      return `${event.type} ${event.resourceVersion}`;
  }
};

async function turns(): Promise<void> {
  for (let i = 0; i < 50; i++) {
    await turn();
  }
}

/** Polls every minute through a script of lists. */
function polled(lists: ListResponse[], options: FollowOptions = {}) {
  const clock = createVirtualClock();
  const stop = new AbortController();
  const source = new ScriptedSource({ lists });
  const iterator = followSource(
    source,
    {
      poll: { everyMs: 60_000 },
      random: () => 0,
      onError: () => {},
      ...options,
      signal: stop.signal,
    },
    clock,
  )[Symbol.asyncIterator]();
  const events: FollowEvent[] = [];
  return {
    source,
    clock,
    events,
    /** Reads this many events. */
    async read(count: number): Promise<string[]> {
      const read: FollowEvent[] = [];
      for (let i = 0; i < count; i++) {
        read.push((await iterator.next()).value);
      }
      events.push(...read);
      return read.map(line);
    },
    /** Reads the events of so many polls, one after the other, until nothing more arrives. */
    async readPolls(count: number): Promise<string[]> {
      const before = events.length;
      const reading = (async () => {
        for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
          events.push(next.value);
        }
      })();
      for (let i = 0; i < count; i++) {
        await turns();
        await clock.advance(60_000);
      }
      await turns();
      stop.abort();
      await reading;
      return events.slice(before).map(line);
    },
    async poll(): Promise<void> {
      await turns();
      await clock.advance(60_000);
      await turns();
    },
  };
}

describe("follow with poll", () => {
  it("yields the differences from one list to the next as a watch does", async () => {
    const { readPolls } = polled([
      list(5, pod("a", 1), pod("b", 2), pod("c", 3)),
      list(9, pod("a", 8), pod("b", 2), pod("d", 9)),
      list(9, pod("a", 8), pod("b", 2), pod("d", 9)),
      list(12),
    ]);
    expect(await readPolls(3)).toEqual([
      "initial a",
      "initial b",
      "initial c",
      "synced 5",
      "deleted c",
      "applied a",
      "created d",
      "bookmark 9",
      "bookmark 9",
      "deleted a",
      "deleted b",
      "deleted d",
      "bookmark 12",
    ]);
  });

  it("compares whole objects where the server has no resourceVersions, and yields no bookmark", async () => {
    const { readPolls } = polled([
      list("", usage("a", "1"), usage("b", "1")),
      list("", usage("a", "1"), usage("b", "2")),
    ]);
    expect(await readPolls(1)).toEqual(["initial a", "initial b", "synced ", "applied b"]);
  });

  it("an object that was recreated between two lists is deleted and created", async () => {
    const { readPolls } = polled([list(5, pod("a", 1)), list(9, pod("a", 8, { uid: "another" }))]);
    expect(await readPolls(1)).toEqual([
      "initial a",
      "synced 5",
      "deleted a",
      "created a",
      "bookmark 9",
    ]);
  });

  it("a list that fails makes no gap: the next one is compared with the last complete one", async () => {
    const errors: string[] = [];
    const { readPolls } = polled(
      [
        list(5, pod("a", 1), pod("b", 2)),
        { items: [pod("new", 6)], version: 6, next: "token" },
        new KubeError("Expired", "the token is too old"),
        new KubeError("InternalError", "the server is down"),
        list(9, pod("b", 2), pod("c", 9)),
      ],
      { onError: ({ code }) => errors.push(code) },
    );
    expect(await readPolls(2)).toEqual([
      "initial a",
      "initial b",
      "synced 5",
      "deleted a",
      "created c",
      "bookmark 9",
    ]);
    expect(errors).toEqual(["Expired", "InternalError"]);
  });

  it("a first list that fails after its first page begins the snapshot again", async () => {
    const { readPolls } = polled([
      { items: [pod("a", 1)], version: 5, next: "token" },
      new KubeError("Expired", "the token is too old"),
      list(6, pod("b", 2)),
    ]);
    expect(await readPolls(0)).toEqual(["initial a", "gap Expired", "initial b", "synced 6"]);
  });

  it("reads the differences of a list completely, however many they are", async () => {
    const { read, poll, readPolls } = polled(
      [list(1, ...pods(3_000)), list(2, ...pods(3_000, 2))],
      {
        maxBufferedEvents: 10,
        maxBufferedObjects: 100,
      },
    );
    expect((await read(3_001)).at(-1)).toBe("synced 1");
    await poll();
    const unread = await readPolls(0);
    expect(unread).toHaveLength(3_001);
    expect(new Set(unread.map((text) => text.split(" ")[0]))).toEqual(
      new Set(["applied", "bookmark"]),
    );
  });

  it("a reader that leaves the changes of several lists unread gets a gap and a complete snapshot", async () => {
    const errors: string[] = [];
    const { source, read, poll, readPolls } = polled(
      [
        list(1, ...pods(300)),
        list(2, ...pods(300, 2)),
        list(3, ...pods(300, 3)),
        list(4, ...pods(300, 4)),
        list(5, ...pods(200, 5)),
        list(6, ...pods(199, 5)),
      ],
      { maxBufferedEvents: 10, maxBufferedObjects: 100, onError: ({ code }) => errors.push(code) },
    );
    await read(301);
    await poll();
    await poll();
    await poll();
    // Reading has stopped.
    await poll();
    await poll();
    expect(source.lists).toHaveLength(4);
    const rest = await readPolls(2);
    expect(rest[0]).toBe("gap TooLarge");
    expect(rest.slice(1, 201)).toEqual(
      pods(200).map(({ metadata }) => `initial ${metadata?.name}`),
    );
    expect(rest.slice(201)).toEqual(["synced 5", "deleted p199", "bookmark 6"]);
    expect(errors).toEqual(["TooLarge"]);
  });

  it("a reader may change the objects that it gets", async () => {
    const { read, poll, events, readPolls } = polled([
      list("", usage("a", "1"), usage("b", "1")),
      list("", usage("a", "1")),
    ]);
    await read(3);
    for (const event of events) {
      if ("object" in event) {
        (event.object as { usage?: object }).usage = { cpu: "mine" };
      }
    }
    await poll();
    expect(await readPolls(0)).toEqual(["deleted b"]);
    expect(events.at(-1)).toMatchObject({ object: { usage: { cpu: "1" } } });
  });
});
