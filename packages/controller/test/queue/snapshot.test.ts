import { describe, expect, it } from "vitest";
import { flavours, takeRunning } from "./flavours.js";

describe.each(flavours)("the snapshot of the $flavour queue", ({ create }) => {
  it("CQ29: has each key with its state, priority, times and failures", () => {
    const { queue, clock } = create();
    queue.add("running");
    queue.add("again");
    takeRunning(queue, 2);
    clock.advance(10);
    queue.add("again");
    queue.retry("running");
    queue.retry("waiting");
    queue.retry("waiting");
    queue.add("ready");
    clock.jump(500);
    clock.advance(2);
    const now = clock.now();
    expect(queue.snapshot()).toEqual([
      { key: "running", state: "running", priority: 0, failures: 1, readyAtMs: now + 3, forMs: 12 },
      { key: "again", state: "running+again", priority: 0, failures: 0, forMs: 12 },
      { key: "waiting", state: "waiting", priority: 0, failures: 2, readyAtMs: now + 3 },
      { key: "ready", state: "ready", priority: 0, failures: 0, forMs: 2 },
    ]);
  });

  it("CQ29: can be limited", () => {
    const { queue } = create();
    for (let i = 0; i < 100; i++) {
      queue.add(`key-${i}`);
    }
    expect(queue.snapshot({ limit: 3 }).map(({ key }) => key)).toEqual(["key-0", "key-1", "key-2"]);
    expect(queue.snapshot({ limit: 0 })).toEqual([]);
  });
});
