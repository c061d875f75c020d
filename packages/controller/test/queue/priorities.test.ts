import { describe, expect, it } from "vitest";
import { classicQueue, priorityQueue, takeAll, takeRunning } from "./flavours.js";

describe("priorities", () => {
  it("CQ20: the highest priority first, first in first out in each", () => {
    const { queue } = priorityQueue();
    queue.add("a", { priority: 0 });
    queue.add("low", { priority: -100 });
    queue.add("high", { priority: 10 });
    queue.add("b");
    queue.add("high-2", { priority: 10 });
    queue.add("low-2", { priority: -100 });
    expect(takeAll(queue)).toEqual(["high", "high-2", "a", "b", "low", "low-2"]);
  });

  it("CQ20: the classic queue ignores priorities", () => {
    const { queue } = classicQueue();
    queue.add("a");
    queue.add("b", { priority: 10 });
    expect(queue.takeNow()).toEqual({ key: "a", priority: 0, waitedMs: 0 });
    expect(queue.takeNow()).toEqual({ key: "b", priority: 0, waitedMs: 0 });
  });

  it("CQ21: a higher priority moves a ready key to its end, a lower one changes nothing", () => {
    const { queue } = priorityQueue();
    for (const key of ["a", "b", "c"]) {
      queue.add(key);
    }
    queue.add("x", { priority: 10 });
    queue.add("b", { priority: 10 });
    queue.add("a", { priority: -50 });
    expect(takeAll(queue)).toEqual(["x", "b", "a", "c"]);
  });

  it("CQ21: the highest priority and the earliest moment count for a waiting key", () => {
    const { queue, clock } = priorityQueue();
    queue.add("a", { priority: -100, afterMs: 100 });
    queue.add("a", { priority: 5, afterMs: 200 });
    queue.add("b", { priority: 3, afterMs: 50 });
    queue.add("b", { priority: -1 });
    expect(queue.takeNow()).toEqual({ key: "b", priority: 3, waitedMs: 0 });
    clock.advance(100);
    expect(queue.takeNow()?.priority).toBe(5);
  });

  it("CQ21: the highest priority counts for a key that is added during its run", () => {
    const { queue } = priorityQueue();
    queue.add("a");
    takeRunning(queue, 1);
    queue.add("a", { priority: -100 });
    queue.add("a", { priority: -5 });
    queue.add("a", { priority: -50 });
    queue.done("a");
    expect(queue.takeNow()?.priority).toBe(-5);
  });

  it("CQ23: a key of a backlog of 50,000 that is added at priority 0 is next", () => {
    const { queue } = priorityQueue();
    for (let i = 0; i < 50_000; i++) {
      queue.add(`key-${i}`, { priority: -100 });
    }
    takeRunning(queue, 1);
    queue.add("key-40000");
    expect(takeRunning(queue, 1)).toEqual(["key-40000"]);
  });

  it("CQ20: 20,000 distinct priorities are taken in order, and leave nothing behind", () => {
    const { queue } = priorityQueue();
    for (let i = 0; i < 20_000; i++) {
      queue.add(`key-${i}`, { priority: (i * 7_919) % 100_003 });
    }
    const priorities = [];
    for (let taken = queue.takeNow(); taken; taken = queue.takeNow()) {
      priorities.push(taken.priority);
      queue.done(taken.key);
    }
    expect(priorities).toEqual([...priorities].sort((a, b) => b - a));
    expect(priorities).toHaveLength(20_000);
  });
});

describe("aging", () => {
  it("CQ24: a key of low priority counts as 0 after a minute of steady load", () => {
    const { queue, clock } = priorityQueue();
    queue.add("low", { priority: -100 });
    const taken: (readonly [string | undefined, number])[] = [];
    for (let i = 0; i < 70; i++) {
      queue.add(`busy-${i}`);
      queue.add(`busier-${i}`);
      const next = queue.takeNow();
      taken.push([next?.key, i]);
      queue.done(next?.key as string);
      clock.advance(1_000);
    }
    expect(taken.find(([key]) => key === "low")).toEqual(["low", 60]);
  });

  it("CQ24: is off with Infinity", () => {
    const { queue, clock } = priorityQueue({ agingMs: Number.POSITIVE_INFINITY });
    queue.add("low", { priority: -100 });
    clock.advance(1e9);
    queue.add("busy");
    expect(takeAll(queue)).toEqual(["busy", "low"]);
  });

  it("CQ24, CQ23: aged keys take turns with keys of priority 0, so that an old backlog does not delay them", () => {
    const { queue, clock } = priorityQueue({ agingMs: 1_000 });
    for (let i = 0; i < 1_000; i++) {
      queue.add(`backlog-${i}`, { priority: -100 });
    }
    clock.advance(1_000);
    queue.add("high", { priority: 1 });
    queue.add("a");
    queue.add("b");
    expect(takeRunning(queue, 6)).toEqual([
      "high",
      "backlog-0",
      "a",
      "backlog-1",
      "b",
      "backlog-2",
    ]);
    expect(takeAll(queue)).toHaveLength(997);
  });

  it("CQ24: an aged key reports its own priority and keeps its place up to priority 0", () => {
    const { queue, clock } = priorityQueue({ agingMs: 1_000 });
    queue.add("low", { priority: -100 });
    queue.add("lower", { priority: -200 });
    queue.add("new", { priority: -1 });
    clock.advance(1_000);
    queue.add("first", { priority: 5 });
    expect(queue.takeNow()?.key).toBe("first");
    queue.add("lower", { priority: 0 });
    queue.add("new", { priority: 2 });
    const taken = [queue.takeNow(), queue.takeNow(), queue.takeNow()];
    expect(taken.map((each) => [each?.key, each?.priority])).toEqual([
      ["new", 2],
      ["low", -100],
      ["lower", 0],
    ]);
  });

  it("CQ24: the age counts from the moment at which the key became ready", () => {
    const { queue, clock } = priorityQueue({ agingMs: 1_000 });
    queue.add("low", { priority: -100, afterMs: 900 });
    clock.advance(1_500);
    queue.add("mid", { priority: -50 });
    expect(queue.takeNow()?.key).toBe("mid");
    clock.advance(400);
    queue.add("mid-2", { priority: -50 });
    expect(queue.takeNow()?.key).toBe("low");
  });
});
