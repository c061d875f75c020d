import type { KubeObject } from "@typekube/api";
import { ConfigMap } from "@typekube/api/core/v1";
import { createVirtualClock, startApiServer } from "@typekube/apiserver";
import type { ObjectEvent } from "@typekube/client";
import { KubeError } from "@typekube/core";
import { sleep } from "@typekube/core/internal";
import { type WatchFromOptions, watchFrom } from "@typekube/informer";
import { watchSourceFrom } from "@typekube/informer/internal";
import { describe, expect, it } from "vitest";
import { pod, ScriptedSource, type WatchResponse } from "../scripted-source.js";
import { added, bookmark, deleted, errorEvent, failure, modified, status } from "../wire-events.js";

const line = ({ type, object }: ObjectEvent) => `${type} ${object.metadata.resourceVersion}`;

/** Creates a watch from a resourceVersion over a script; `take` reads `count` events while time passes. */
function setUp(watches: (WatchResponse | KubeError)[], more: Partial<WatchFromOptions> = {}) {
  const source = new ScriptedSource({ watches });
  const clock = createVirtualClock();
  const received: string[] = [];
  const events = watchSourceFrom<KubeObject>(
    source,
    {
      resourceVersion: "1",
      random: () => 0,
      onError: ({ code }) => received.push(code),
      ...more,
    },
    clock,
  );
  async function take(count: number, passMs = 60_000): Promise<string[]> {
    const lines: string[] = [];
    const reading = (async () => {
      for await (const event of events) {
        lines.push(line(event));
        if (lines.length === count) {
          break;
        }
      }
    })();
    reading.catch(() => {});
    await clock.advance(passMs);
    await reading;
    return lines;
  }
  return { source, clock, received, events, take };
}

const two: WatchResponse = { batches: [[added(pod("a", 2))]] };

describe("a watch from a resourceVersion", () => {
  it.each(["", "0", undefined, null, 5])(
    "T1: rejects a start at the resourceVersion %j",
    (resourceVersion) => {
      expect(() => setUp([], { resourceVersion: resourceVersion as string })).toThrow(
        expect.objectContaining({ code: "InvalidArgument" }),
      );
    },
  );

  it.each([
    ["a start that fails", new KubeError("ConnectionReset", "reset")],
    ["410 at the start", failure(410, "Expired")],
    ["504 at the start", failure(504, "Timeout")],
    ["500 at the start", failure(500, "InternalError")],
    ["429 at the start", failure(429, "TooManyRequests")],
    ["a status code of its own", failure(599, "Odd")],
    ["an ERROR with 500", { batches: [[errorEvent(status(500, "InternalError"))]] }],
    ["an ERROR that is no Status", { batches: [[errorEvent(pod("x", 1))]] }],
    ["a watch that is closed at once", { outcome: "end" }],
  ] as [string, KubeError | WatchResponse][])(
    "T2: resumes after %s: two watches from the same resourceVersion",
    async (_, first) => {
      const { source, take } = setUp([first, two]);
      expect(await take(1)).toEqual(["ADDED 2"]);
      expect(source.watches.map(({ resourceVersion }) => resourceVersion)).toEqual(["1", "1"]);
      expect(source.open).toBe(0);
    },
  );

  it("RV4: delivers an event without a resourceVersion, and keeps the position", async () => {
    const { source, take } = setUp([
      {
        batches: [[added(pod("a", 2)), modified(pod("a", "")), deleted(pod("a", "0"))]],
        outcome: "end",
      },
      { batches: [[added(pod("a", 3))]] },
    ]);
    expect(await take(4)).toEqual(["ADDED 2", "MODIFIED ", "DELETED 0", "ADDED 3"]);
    expect(source.watches.map(({ resourceVersion }) => resourceVersion)).toEqual(["1", "2"]);
  });

  it("T3: an ERROR with 410 ends it with Expired: a list could not make up for the missed events", async () => {
    const { source, take } = setUp([gone410(), two]);
    await expect(take(1)).rejects.toMatchObject({ code: "Expired" });
    expect(source.watches).toHaveLength(1);
  });

  it("T2 [+]: 410 at the start is retried even after an ERROR of another kind: it may be only one server", async () => {
    const odd = { batches: [[errorEvent(status(500, "InternalError"))]] };
    const { source, take } = setUp([odd, failure(410, "Expired"), two]);
    expect(await take(1)).toEqual(["ADDED 2"]);
    expect(source.watches).toHaveLength(3);
  });

  it("T2 [+]: ends after four starts with 410", async () => {
    const { source, take } = setUp(Array.from({ length: 10 }, () => failure(410, "Expired")));
    await expect(take(1)).rejects.toMatchObject({ code: "Expired" });
    expect(source.watches).toHaveLength(4);
  });

  it.each([
    [403, "Forbidden"],
    [401, "Unauthorized"],
  ] as const)("T4: %i at the start ends it, without a loop", async (code, reason) => {
    const { source, take } = setUp([failure(code, reason), two]);
    await expect(take(1)).rejects.toMatchObject({ code: reason });
    expect(source.watches).toHaveLength(1);
  });

  it("T5: leaves out events up to the resourceVersion that it starts at", async () => {
    const all = [1, 2, 3, 4].map((version) => added(pod(`p${version}`, version)));
    const { take } = setUp([{ batches: [all] }], { resourceVersion: "2" });
    expect(await take(2)).toEqual(["ADDED 3", "ADDED 4"]);
  });

  it("T6: over watches that break, overlap and repeat, every event is delivered once and in order", async () => {
    const event = (version: number) => modified(pod("a", version));
    const { source, take } = setUp([
      {
        batches: [
          [event(2), event(4)],
          [event(4), event(3)],
        ],
        outcome: "end",
      },
      { batches: [[event(3), event(4), event(7)]], outcome: new KubeError("ConnectionReset", "r") },
      { batches: [], outcome: "end" },
      { batches: [[event(7), deleted(pod("a", 9)), added(pod("a", 12))]] },
    ]);
    expect(await take(5)).toEqual([
      "MODIFIED 2",
      "MODIFIED 4",
      "MODIFIED 7",
      "DELETED 9",
      "ADDED 12",
    ]);
    expect(source.watches.map(({ resourceVersion }) => resourceVersion)).toEqual([
      "1",
      "4",
      "7",
      "7",
    ]);
  });

  it("T7: a reader that stops, between reads or during one, leaves no watch and no timer", async () => {
    const { source, clock, take, events } = setUp([two, two]);
    expect(await take(1)).toEqual(["ADDED 2"]);
    expect([source.open, clock.pending]).toEqual([0, 0]);
    const reader = events[Symbol.asyncIterator]();
    await reader.next();
    const waiting = reader.next();
    await clock.advance(0);
    expect(source.open).toBe(1);
    await reader.return?.();
    expect((await waiting).done).toBe(true);
    expect([source.open, clock.pending]).toEqual([0, 0]);
  });

  it("T7: its signal ends it without an error, also during a back-off", async () => {
    const controller = new AbortController();
    const { clock, events } = setUp([failure(500, "InternalError")], { signal: controller.signal });
    const waiting = events[Symbol.asyncIterator]().next();
    await clock.advance(100);
    controller.abort();
    expect((await waiting).done).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it("T8: bookmarks move the resourceVersion and are not delivered", async () => {
    const { source, take } = setUp([
      { batches: [[bookmark(30)]], outcome: "end" },
      { batches: [[added(pod("a", 20)), added(pod("b", 40))]] },
    ]);
    expect(await take(1)).toEqual(["ADDED 40"]);
    expect(source.watches[1]?.resourceVersion).toBe("30");
  });

  it("T2, T6: backs off between failures, longer each time, and reports each", async () => {
    const { received, take } = setUp([
      failure(500, "InternalError"),
      failure(503, "ServiceUnavailable"),
      two,
    ]);
    await take(1);
    expect(received).toEqual(["InternalError", "ServiceUnavailable"]);
  });

  it.each(["onError", "onRestart"])("an error thrown by %s ends it", async (callback) => {
    const mistake = new Error("a mistake of the caller");
    const throws = () => {
      throw mistake;
    };
    const failures = [failure(500, "InternalError"), two];
    const { source, clock, take } = setUp(failures, { [callback]: throws });
    await expect(take(1)).rejects.toBe(mistake);
    expect([source.watches.length, source.open, clock.pending]).toEqual([1, 0, 0]);
  });

  it("resumes over cut watches of the embedded server from a list, and misses nothing", async () => {
    await using api = await startApiServer();
    await using client = await api.client();
    const maps = client.resource(ConfigMap, "default");
    const { metadata } = await maps.list();
    const resourceVersion = metadata.resourceVersion ?? "";
    const written: string[] = [];
    const seen: string[] = [];
    const write = async (name: string) => {
      const made = await maps.create({ metadata: { name } });
      written.push(made.metadata.resourceVersion);
    };
    await write("before");
    const options = { namespace: "default", resourceVersion, backoff: { initialMs: 1, maxMs: 2 } };
    for await (const { object } of watchFrom(client, ConfigMap, options)) {
      seen.push(object.metadata.resourceVersion);
      if (seen.length === 20) {
        break;
      }
      api.dropWatches();
      await write(`c${seen.length}`);
    }
    expect(seen).toEqual(written);
  });

  it("resumes at once, each time, when it is cut after a while", async () => {
    const { source, clock, events } = setUp([]);
    const startedAt = clock.now();
    const seconds: number[] = [];
    source.watchBatches = async function* ({ signal }) {
      seconds.push((clock.now() - startedAt) / 1_000);
      yield [modified(pod("a", seconds.length + 1))];
      await sleep(clock, 8_000, signal);
      throw new KubeError("ConnectionReset", "the connection was cut");
    };
    const reading = (async () => {
      for await (const _ of events) {
        if (seconds.length === 5) {
          break;
        }
      }
    })();
    await clock.advance(60_000);
    await reading;
    expect(seconds).toEqual([0, 8, 16, 24, 32]);
  });
});

it("resumes when a server sends only events older than the resourceVersion", async () => {
  const { source, clock, events, received } = setUp([], { resourceVersion: "10" });
  source.watchBatches = async function* ({ signal, ...options }) {
    source.watches.push(options);
    yield [bookmark(10)];
    for (let old = 1; source.watches.length === 1; old++) {
      yield [modified(pod("a", old)), bookmark(old)];
      await sleep(clock, 60_000, signal);
    }
    yield [modified(pod("a", 11))];
  };
  const reading = events[Symbol.asyncIterator]().next();
  await clock.advance(90_000);
  expect([(await reading).value.object.metadata.resourceVersion, received]).toEqual([
    "11",
    ["DeadlineExceeded"],
  ]);
});

it("backs off when watches end normally soon after each event, from the fifth in a row on", async () => {
  const { source, clock, events, received } = setUp([]);
  const startedAt = clock.now();
  const seconds: number[] = [];
  source.watchBatches = async function* ({ signal }) {
    seconds.push((clock.now() - startedAt) / 1_000);
    yield [modified(pod("a", seconds.length + 1))];
    await sleep(clock, 100, signal);
  };
  const reading = (async () => {
    for await (const _ of events) {
      if (seconds.length === 8) {
        break;
      }
    }
  })();
  await clock.advance(8_000);
  await reading;
  expect(seconds).toEqual([0, 0.1, 0.2, 0.3, 0.4, 1.3, 3, 6.3]);
  expect(received).toEqual(["ConnectionClosed"]);
});

it("does not count the time that its reader takes as silence of the server", async () => {
  const { source, clock, events, received } = setUp([]);
  source.watchBatches = async function* ({ signal, ...options }) {
    source.watches.push(options);
    for (const batch of [[bookmark(2)], [added(pod("a", 3))], [added(pod("b", 4))]]) {
      signal?.throwIfAborted();
      yield batch;
    }
    await sleep(clock, 3_600_000, signal);
  };
  const reader = events[Symbol.asyncIterator]();
  expect(line((await reader.next()).value)).toBe("ADDED 3");
  await clock.advance(15 * 60_000);
  const second = reader.next();
  await clock.advance(0);
  expect([received, source.watches.length]).toEqual([[], 1]);
  expect(line((await second).value)).toBe("ADDED 4");
  const more = reader.next();
  await clock.advance(80_000);
  expect(received).toEqual(["DeadlineExceeded"]);
  await reader.return?.();
  expect([await more, clock.pending]).toEqual([{ done: true, value: undefined }, 0]);
});

function gone410(): WatchResponse {
  return { batches: [[errorEvent(status(410, "Expired"))]] };
}
