import { describe, expect, it } from "vitest";
import type { WorkQueue } from "../../src/index.js";
import { classicQueue, flavours, priorityQueue, takeAll, takeRunning } from "./flavours.js";

/** Fills a queue: 2 running keys, of which one was added again, 5 ready and 3 delayed ones. */
function fill(queue: WorkQueue): void {
  queue.add("running");
  queue.add("again");
  takeRunning(queue, 2);
  queue.add("again");
  for (let i = 1; i <= 5; i++) {
    queue.add(`ready-${i}`);
  }
  for (let i = 1; i <= 3; i++) {
    queue.add(`waiting-${i}`, { afterMs: i });
  }
}

/** Returns a function that returns true once the promise resolved. */
function observe(promise: Promise<void>): () => Promise<boolean> {
  let resolved = false;
  void promise.then(() => {
    resolved = true;
  });
  return async () => {
    await new Promise(setImmediate);
    return resolved;
  };
}

const fiveReady = ["ready-1", "ready-2", "ready-3", "ready-4", "ready-5"];

describe.each(flavours)("closing the $flavour queue", ({ create }) => {
  it("CQ5, U1: a closed queue ignores adds and resolves all takes, now and later", async () => {
    const { queue, clock } = create();
    const waiting = [queue.take(), queue.take()];
    await queue.close();
    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
    queue.add("a");
    queue.add("b", { afterMs: 1 });
    expect(queue.retry("c")).toBe(5);
    clock.advance(10);
    expect([queue.snapshot(), clock.pending]).toEqual([[], 0]);
    for (let i = 0; i < 3; i++) {
      expect(await queue.take()).toBeUndefined();
      expect(queue.takeNow()).toBeUndefined();
    }
    await queue.close();
    await queue.close({ drain: true });
  });

  it("CQ8, U3: draining hands out ready keys and a key that was added during its run, and drops delays", async () => {
    const { queue, clock } = create();
    fill(queue);
    const isClosed = observe(queue.close({ drain: true }));
    expect([queue.waiting, clock.pending]).toEqual([0, 0]);
    queue.add("ignored");
    expect(takeAll(queue)).toEqual(fiveReady);
    expect(await isClosed()).toBe(false);
    queue.done("running");
    queue.done("again");
    expect(await isClosed()).toBe(false);
    expect(takeRunning(queue, 2)).toEqual(["again"]);
    expect(await queue.take()).toBeUndefined();
    expect(await isClosed()).toBe(false);
    queue.done("again");
    expect(await isClosed()).toBe(true);
  });

  it("CQ8: draining an idle queue resolves at once", async () => {
    const { queue } = create();
    await queue.close({ drain: true });
    expect(await queue.take()).toBeUndefined();
  });

  it("CQ5: no timer and no abort listener is left after closing", async () => {
    const { queue, clock } = create();
    const { signal } = new AbortController();
    const listeners: string[] = [];
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners.push(args[0]);
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners.splice(listeners.indexOf(args[0]), 1);
      remove(...args);
    };
    const take = queue.take(signal);
    queue.add("a", { afterMs: 1_000 });
    expect([clock.pending, listeners]).toEqual([1, ["abort"]]);
    await queue.close();
    expect([await take, clock.pending, listeners]).toEqual([undefined, 0, []]);
  });
});

describe("closing the classic queue", () => {
  it("CQ6, U3: hands out the ready keys, and does not wait", async () => {
    const { queue } = classicQueue();
    fill(queue);
    await queue.close();
    const taken = [];
    for (let i = 0; i < 5; i++) {
      taken.push((await queue.take())?.key);
    }
    expect(taken).toEqual(fiveReady);
    expect(await queue.take()).toBeUndefined();
  });

  it("U3: a key that was added during its run is handed out after closing", async () => {
    const { queue } = classicQueue();
    fill(queue);
    await queue.close();
    takeAll(queue);
    queue.done("again");
    expect((await queue.take())?.key).toBe("again");
  });

  it("U3: closing without drain ends the wait for draining", async () => {
    const { queue } = classicQueue();
    fill(queue);
    const isClosed = observe(queue.close({ drain: true }));
    expect(await isClosed()).toBe(false);
    await queue.close();
    expect(await isClosed()).toBe(true);
  });

  it("U1: 50 producers and 10 consumers: each key runs, none of those added after closing", async () => {
    const { queue } = classicQueue();
    const seen = new Map<string, number>();
    const consume = async () => {
      for (let taken = await queue.take(); taken; taken = await queue.take()) {
        seen.set(taken.key, (seen.get(taken.key) ?? 0) + 1);
        await undefined;
        queue.done(taken.key);
      }
    };
    const consumers = Array.from({ length: 10 }, consume);
    const produce = async (producer: number) => {
      for (let i = 0; i < 50; i++) {
        queue.add(`${producer}-${i}`);
        await undefined;
      }
    };
    await Promise.all(Array.from({ length: 50 }, (_, producer) => produce(producer)));
    await queue.close();
    queue.add("after");
    await Promise.all(consumers);
    expect(seen.size).toBe(2_500);
    expect(seen.has("after")).toBe(false);
  });
});

describe("closing the priority queue", () => {
  it("CQ7: drops ready and delayed keys, and resolves when the runs are done", async () => {
    const depths: number[] = [];
    const observer = { onDepth: (_: number, change: number) => depths.push(change) };
    const { queue, clock } = priorityQueue({ observer });
    fill(queue);
    const isClosed = observe(queue.close());
    expect([queue.depth, queue.waiting, queue.running, clock.pending]).toEqual([0, 0, 2, 0]);
    expect(await queue.take()).toBeUndefined();
    queue.done("running");
    expect(await isClosed()).toBe(false);
    queue.done("again");
    expect(await isClosed()).toBe(true);
    expect(queue.snapshot()).toEqual([]);
    expect(depths.reduce((sum, change) => sum + change, 0)).toBe(0);
  });

  it("U3: closing without drain drops what draining has not handed out", async () => {
    const { queue } = priorityQueue();
    fill(queue);
    const isClosed = observe(queue.close({ drain: true }));
    expect(takeRunning(queue, 1)).toEqual(["ready-1"]);
    void queue.close();
    expect(takeAll(queue)).toEqual([]);
    for (const key of ["running", "again", "ready-1"]) {
      expect(await isClosed()).toBe(false);
      queue.done(key);
    }
    expect(await isClosed()).toBe(true);
  });

  it("CQ8, CQ26: a taker of a draining queue waits for the slot of a group", async () => {
    const { queue } = priorityQueue({ groupConcurrency: { by: () => "all", max: 1 } });
    queue.add("a");
    queue.add("b");
    takeRunning(queue, 1);
    const take = queue.take();
    const isClosed = observe(queue.close({ drain: true }));
    queue.done("a");
    expect((await take)?.key).toBe("b");
    queue.done("b");
    expect(await isClosed()).toBe(true);
  });
});
