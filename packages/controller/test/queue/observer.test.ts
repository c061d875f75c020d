import { describe, expect, it } from "vitest";
import { createDepthByPriority } from "../../src/queue/depth-by-priority.js";
import { flavours, priorityQueue, takeRunning } from "./flavours.js";

/** Records the calls of an observer. */
function recorder() {
  const calls: unknown[] = [];
  const record =
    (name: string) =>
    (...args: number[]) => {
      calls.push([name, ...args]);
    };
  const observer = {
    onAdd: record("add"),
    onTake: record("take"),
    onDone: record("done"),
    onRetry: record("retry"),
    onDepth: record("depth"),
  };
  return { calls, observer };
}

describe.each(flavours)("the observer of the $flavour queue", ({ create }) => {
  it("CM20, U8: sees adds, waits, work and retries exactly", () => {
    const { calls, observer } = recorder();
    const { queue, clock } = create({ observer });
    queue.add("a");
    queue.add("a");
    clock.advance(50);
    takeRunning(queue, 1);
    // Added during its run: an add, whose wait begins now.
    queue.add("a");
    queue.add("a");
    clock.advance(25);
    queue.done("a");
    clock.advance(5);
    takeRunning(queue, 1);
    queue.retry("a");
    queue.done("a");
    clock.advance(5);
    expect(calls).toEqual([
      ["add", 0],
      ["depth", 0, 1],
      ["depth", 0, -1],
      ["take", 50],
      ["add", 0],
      ["depth", 0, 1],
      ["done", 25],
      ["depth", 0, -1],
      ["take", 30],
      ["retry"],
      ["done", 0],
      ["add", 0],
      ["depth", 0, 1],
    ]);
  });

  it("CM20, U8: a delayed key counts as an add, and in the depth, when it becomes ready", () => {
    const { calls, observer } = recorder();
    const { queue, clock } = create({ observer });
    queue.add("a", { afterMs: 10 });
    expect(calls).toEqual([["retry"]]);
    clock.advance(10);
    clock.advance(7);
    expect(queue.takeNow()?.waitedMs).toBe(7);
    expect(calls.slice(1)).toEqual([
      ["add", 0],
      ["depth", 0, 1],
      ["depth", 0, -1],
      ["take", 7],
    ]);
  });

  it("CM20, U8: unfinished work is the sum and the maximum of the runs in progress, without a timer", () => {
    const { queue, clock } = create();
    expect(queue.unfinishedWork()).toEqual({ totalMs: 0, longestMs: 0 });
    queue.add("a");
    takeRunning(queue, 1);
    clock.advance(100);
    queue.add("b");
    takeRunning(queue, 1);
    clock.advance(50);
    expect(queue.unfinishedWork()).toEqual({ totalMs: 200, longestMs: 150 });
    queue.done("a");
    expect(queue.unfinishedWork()).toEqual({ totalMs: 50, longestMs: 50 });
    expect(clock.pending).toBe(0);
  });
});

describe("depth by priority", () => {
  it("CM20: follows a key from priority to priority", () => {
    const { depths, onDepth } = createDepthByPriority();
    const { queue } = priorityQueue({ observer: { onDepth } });
    queue.add("a", { priority: -100 });
    queue.add("b", { priority: -100 });
    queue.add("a");
    expect([...depths]).toEqual([
      ["-100", 1],
      ["0", 1],
    ]);
    takeRunning(queue, 1);
    queue.add("a", { priority: 3 });
    queue.remove("b");
    expect([...depths]).toEqual([
      ["-100", 0],
      ["0", 0],
      ["3", 1],
    ]);
  });

  it("CM21: 1,000 distinct priorities have 25 labels, and the sum is the number of ready keys", () => {
    const { depths, onDepth } = createDepthByPriority();
    const { queue } = priorityQueue({ observer: { onDepth } });
    for (let priority = 0; priority < 1_000; priority++) {
      queue.add(`key-${priority}`, { priority });
    }
    const sum = () => [...depths.values()].reduce((total, depth) => total + depth, 0);
    expect([depths.size, depths.get("exceeded_cardinality_limit"), sum()]).toEqual([
      25, 976, 1_000,
    ]);
    takeRunning(queue, 990);
    expect([sum(), depths.get("exceeded_cardinality_limit"), depths.get("0")]).toEqual([10, 0, 1]);
  });
});
