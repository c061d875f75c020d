import { getEventListeners, once } from "node:events";
import type { KubeObject } from "@typekube/api";
import { KubeError } from "@typekube/core";
import type { WireWatchEvent } from "@typekube/core/internal";
import { failure } from "@typekube/test-support/failure";
import { describe, expect, it } from "vitest";
import { WatchEvents } from "../../src/watch/watch-events.js";

function event(type: string, name: string): WireWatchEvent {
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name } } as KubeObject;
  return { type, object };
}

const expired: WireWatchEvent = {
  type: "ERROR",
  object: { apiVersion: "v1", kind: "Status", status: "Failure", reason: "Expired", code: 410 },
} as WireWatchEvent;

/** Creates a watch from groups of events, with `end` called after the last. Records the state of the source. */
function watching(groups: readonly (readonly WireWatchEvent[])[], end?: () => void) {
  const unknown: string[] = [];
  const source = { requested: 0, isClosed: false };
  async function* batches() {
    try {
      for (const group of groups) {
        source.requested++;
        yield group;
      }
      end?.();
    } finally {
      source.isClosed = true;
    }
  }
  const events = new WatchEvents(batches, (type) => unknown.push(type));
  return { events, source, unknown };
}

const names = (results: readonly IteratorResult<{ object: KubeObject }, undefined>[]) =>
  results.map(({ value }) => value?.object.metadata?.name);

const twoGroups = [
  [event("ADDED", "a"), event("MODIFIED", "b")],
  [],
  [event("BOOKMARK", "c"), event("DELETED", "d")],
];

describe("the events of a watch", () => {
  it("come one by one, and the source is read only when needed", async () => {
    const { events, source } = watching(twoGroups);
    expect(source.requested).toBe(0);
    const seen: unknown[] = [];
    for await (const { object } of events) {
      seen.push([object.metadata?.name, source.requested]);
    }
    expect(seen).toEqual([
      ["a", 1],
      ["b", 1],
      ["c", 3],
      ["d", 3],
    ]);
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  it("requested concurrently, come in order and each once", async () => {
    const { events } = watching(twoGroups);
    const requested = Array.from({ length: 6 }, () => events.next());
    expect(names(await Promise.all(requested))).toEqual(["a", "b", "c", "d", undefined, undefined]);
  });

  it("return() takes effect after the requests before it", async () => {
    const { events, source } = watching(twoGroups);
    const [first, end, later] = [events.next(), events.return(), events.next()];
    expect(names([await first])).toEqual(["a"]);
    expect(await end).toEqual({ done: true, value: undefined });
    expect(await later).toEqual({ done: true, value: undefined });
    expect(source).toEqual({ requested: 1, isClosed: true });
  });

  it.each(["at once", "while it waits"])(
    "return() called %s ends a wait that nothing else would end",
    async (when) => {
      let tellWaits: () => void;
      const waits = new Promise<void>((resolve) => {
        tellWaits = resolve;
      });
      let isClosed = false;
      async function* silent(signal: AbortSignal): AsyncGenerator<readonly WireWatchEvent[]> {
        try {
          yield [];
          tellWaits();
          if (!signal.aborted) {
            await once(signal, "abort");
          }
          throw signal.reason;
        } finally {
          isClosed = true;
        }
      }
      const caller = new AbortController();
      const events = new WatchEvents(silent, () => {}, { signal: caller.signal });
      const waiting = events.next();
      if (when === "while it waits") {
        await waits;
      }
      expect(await events.return()).toEqual({ done: true, value: undefined });
      expect(await waiting).toEqual({ done: true, value: undefined });
      expect(isClosed).toBe(true);
      expect(getEventListeners(caller.signal, "abort")).toEqual([]);
    },
  );

  it("stopping the iteration closes the watch and drops the events that had arrived", async () => {
    const { events, source } = watching(twoGroups);
    for await (const _ of events) {
      break;
    }
    expect(source).toEqual({ requested: 1, isClosed: true });
    expect((await events.next()).done).toBe(true);
  });

  it("come before an ERROR, which is thrown, and then the watch is over", async () => {
    const { events, source } = watching([[event("ADDED", "a"), expired, event("ADDED", "b")]]);
    expect(names([await events.next()])).toEqual(["a"]);
    expect((await failure(events.next())).code).toBe("Expired");
    expect(source.isClosed).toBe(true);
    expect((await events.next()).done).toBe(true);
  });

  it("a watch that fails throws once", async () => {
    const { events } = watching([[event("ADDED", "a")]], () => {
      throw new KubeError("ConnectionReset", "cut");
    });
    expect(names([await events.next()])).toEqual(["a"]);
    expect((await failure(events.next())).code).toBe("ConnectionReset");
    expect((await events.next()).done).toBe(true);
  });

  it("WAT3: types of a later server are skipped and reported", async () => {
    const { events, unknown } = watching([[event("MOVED", "a"), event("ADDED", "b")]]);
    expect(names([await events.next(), await events.next()])).toEqual(["b", undefined]);
    expect(unknown).toEqual(["MOVED"]);
  });

  it("an error thrown by the callback for unknown types ends the watch", async () => {
    const { source } = watching([]);
    const thrown = new Error("mine");
    async function* batches() {
      try {
        yield [event("MOVED", "a")];
      } finally {
        source.isClosed = true;
      }
    }
    const events = new WatchEvents(batches, () => {
      throw thrown;
    });
    await expect(events.next()).rejects.toBe(thrown);
    expect(source.isClosed).toBe(true);
  });
});
