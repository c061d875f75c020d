import { describe, expect, it } from "vitest";
import { flavours, stateOf, takeAll, takeRunning } from "./flavours.js";

describe.each(flavours)("keys of the $flavour queue", ({ create }) => {
  it("CQ1: hands out each key once, in the order of the first add", () => {
    let adds = 0;
    const { queue } = create({ observer: { onAdd: () => adds++ } });
    for (const key of ["a", "a", "b", "a"]) {
      queue.add(key);
    }
    expect(queue.depth).toBe(2);
    expect([queue.takeNow()?.key, queue.takeNow()?.key, queue.takeNow()]).toEqual([
      "a",
      "b",
      undefined,
    ]);
    expect([queue.depth, queue.running, adds]).toEqual([0, 2, 2]);
  });

  it("CQ2, U2: a running key that is added again becomes ready once, at the end, when it is done", () => {
    let adds = 0;
    const { queue } = create({ observer: { onAdd: () => adds++ } });
    queue.add("a");
    takeRunning(queue, 1);
    queue.add("a");
    queue.add("a");
    queue.add("b");
    queue.add("a");
    expect(stateOf(queue, "a")).toBe("running+again");
    expect(takeRunning(queue, 1)).toEqual(["b"]);
    queue.add("c");
    expect(queue.depth).toBe(1);
    queue.done("a");
    expect(takeAll(queue)).toEqual(["c", "a"]);
    expect(adds).toBe(4);
    queue.done("b");
    expect(queue.snapshot()).toEqual([]);
  });

  it("U2: done of a key that is not running changes nothing", () => {
    const { queue } = create();
    queue.add("a");
    queue.done("a");
    queue.done("b");
    expect(takeAll(queue)).toEqual(["a"]);
    expect(takeAll(queue)).toEqual([]);
  });

  it("CQ4: takers are served in their order", async () => {
    const { queue } = create();
    const takes = [queue.take(), queue.take(), queue.take()];
    queue.add("a");
    queue.add("b");
    expect(await takes[0]).toEqual({ key: "a", priority: 0, waitedMs: 0 });
    expect((await takes[1])?.key).toBe("b");
    queue.add("c");
    expect((await takes[2])?.key).toBe("c");
    queue.add("d");
    expect((await queue.take())?.key).toBe("d");
  });

  it("CQ4: a taker that aborts rejects with its reason and loses no key", async () => {
    const { queue } = create();
    const abort = new AbortController();
    const first = queue.take(abort.signal);
    const second = queue.take(new AbortController().signal);
    const reason = new Error("no longer needed");
    abort.abort(reason);
    await expect(first).rejects.toBe(reason);
    queue.add("a");
    expect((await second)?.key).toBe("a");
    await expect(queue.take(abort.signal)).rejects.toBe(reason);
    queue.add("b");
    expect(takeRunning(queue, 2)).toEqual(["b"]);
  });

  it("CQ4: a taker that aborts after it was served keeps the key", async () => {
    const { queue } = create();
    const abort = new AbortController();
    const take = queue.take(abort.signal);
    queue.add("a");
    abort.abort();
    expect((await take)?.key).toBe("a");
    expect(queue.running).toBe(1);
  });

  it("CQ3: calls onReady after a key became ready, unless a taker waits", async () => {
    const { queue, clock } = create();
    const seen: (string | undefined)[] = [];
    const remove = queue.onReady(() => seen.push(queue.takeNow()?.key));
    queue.add("a");
    queue.add("a");
    expect(seen).toEqual(["a"]);
    queue.done("a");
    expect(seen).toEqual(["a", "a"]);
    queue.add("b", { afterMs: 10 });
    clock.advance(10);
    expect(seen).toEqual(["a", "a", "b"]);
    const take = queue.take();
    queue.add("c");
    expect((await take)?.key).toBe("c");
    remove();
    queue.add("d");
    expect(seen).toEqual(["a", "a", "b"]);
  });

  it("CQ2: remove drops a pending run and leaves the current one", () => {
    const { queue, clock } = create();
    queue.add("a");
    queue.add("b", { afterMs: 10 });
    queue.add("c");
    takeRunning(queue, 1);
    queue.add("a");
    for (const key of ["a", "b", "c", "d"]) {
      queue.remove(key);
    }
    expect([queue.depth, queue.waiting, queue.running]).toEqual([0, 0, 1]);
    expect(clock.pending).toBe(0);
    queue.done("a");
    expect(queue.snapshot()).toEqual([]);
  });

  it("CQ11: an add with an invalid key or option is rejected and changes nothing", () => {
    const { queue } = create();
    for (const afterMs of [Number.NaN, Number.POSITIVE_INFINITY, "5s" as unknown as number]) {
      expect(() => queue.add("a", { afterMs })).toThrow(
        "[InvalidArgument] afterMs: must be a finite number: in milliseconds",
      );
    }
    expect(() => queue.add("a", { priority: 0.5 })).toThrow("priority: must be an integer");
    expect(() => queue.add(7 as unknown as string)).toThrow("the key is 7, but must be a string");
    expect(() => queue.retry("a", { notBeforeMs: -1 })).toThrow("notBeforeMs: must be a finite");
    expect([queue.snapshot(), queue.requeues("a")]).toEqual([[], 0]);
  });

  it("CQ28: an add reads the clock once and sets at most one timer, however many keys there are", () => {
    const { queue, clock } = create();
    let reads = 0;
    let timers = 0;
    const monotonic = clock.monotonic?.bind(clock) as () => number;
    const schedule = clock.schedule.bind(clock);
    clock.monotonic = () => {
      reads++;
      return monotonic();
    };
    clock.schedule = (...args) => {
      timers++;
      return schedule(...args);
    };
    for (let i = 0; i < 10_000; i++) {
      queue.add(`ready-${i}`);
      queue.add(`waiting-${i}`, { afterMs: 1_000 + i });
    }
    expect(timers).toBe(1);
    expect(reads).toBeLessThanOrEqual(20_001);
  });
});
