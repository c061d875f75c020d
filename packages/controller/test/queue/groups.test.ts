import { describe, expect, it } from "vitest";
import { priorityQueue, takeAll, takeRunning } from "./flavours.js";

const namespaceOf = (key: string) => key.slice(0, key.indexOf("/"));

describe("fairBy", () => {
  it("CQ25: a key of another group is next after 10,000 keys of one", () => {
    const { queue } = priorityQueue({ fairBy: namespaceOf });
    for (let i = 0; i < 10_000; i++) {
      queue.add(`a/${i}`);
    }
    expect(takeRunning(queue, 1)).toEqual(["a/0"]);
    queue.add("b/0");
    expect(takeRunning(queue, 2)).toContain("b/0");
  });

  it("CQ25: groups are served in turn inside of one priority", () => {
    const { queue } = priorityQueue({ fairBy: namespaceOf });
    for (const key of ["a/1", "a/2", "a/3", "b/1", "b/2", "c/1"]) {
      queue.add(key);
    }
    queue.add("a/first", { priority: 1 });
    expect(takeAll(queue)).toEqual(["a/first", "a/1", "b/1", "c/1", "a/2", "b/2", "a/3"]);
    expect(queue.snapshot()).toEqual([]);
  });

  it("CQ25: a group may have several keys per round", () => {
    const weight = (group: string) => (group === "a" ? 2 : 1);
    const { queue } = priorityQueue({ fairBy: { by: namespaceOf, weight } });
    for (let i = 1; i <= 4; i++) {
      queue.add(`a/${i}`);
      queue.add(`b/${i}`);
    }
    expect(takeAll(queue)).toEqual(["a/1", "a/2", "b/1", "a/3", "a/4", "b/2", "b/3", "b/4"]);
  });

  it("CQ25: a key whose priority rises, and a removed key, leave their group", () => {
    const { queue } = priorityQueue({ fairBy: namespaceOf });
    for (const key of ["a/1", "b/1", "a/2"]) {
      queue.add(key);
    }
    queue.add("b/1", { priority: 1 });
    queue.remove("a/1");
    expect(takeAll(queue)).toEqual(["b/1", "a/2"]);
  });

  it("CQ25: rejects invalid options", () => {
    for (const fairBy of [{}, { by: 1 }, "namespace", { by: namespaceOf, weight: 2 }]) {
      expect(() => priorityQueue({ fairBy: fairBy as never })).toThrow(
        "[InvalidArgument] fairBy: must be a function, or an object with the functions by and weight",
      );
    }
  });
});

describe("groupConcurrency", () => {
  const groupConcurrency = { by: namespaceOf, max: 2 };

  it("CQ26: at most 2 keys of a group run, and the other group runs at once", () => {
    const { queue } = priorityQueue({ groupConcurrency });
    for (let i = 0; i < 10; i++) {
      queue.add(`a/${i}`);
    }
    queue.add("b/0");
    expect(takeRunning(queue, 10)).toEqual(["a/0", "a/1", "b/0"]);
    expect(queue.depth).toBe(8);
    queue.done("b/0");
    expect(queue.takeNow()).toBeUndefined();
    queue.done("a/1");
    expect(takeRunning(queue, 10)).toEqual(["a/2"]);
    queue.done("a/0");
    queue.done("a/2");
    expect(takeRunning(queue, 10)).toEqual(["a/3", "a/4"]);
  });

  it("CQ26: a slot that becomes free wakes a taker, or calls onReady, once", async () => {
    const { queue } = priorityQueue({ groupConcurrency: { by: namespaceOf, max: 1 } });
    queue.add("a/1");
    queue.add("a/2");
    queue.add("a/3");
    takeRunning(queue, 1);
    const take = queue.take();
    queue.done("a/1");
    expect((await take)?.key).toBe("a/2");
    let calls = 0;
    queue.onReady(() => calls++);
    queue.done("a/2");
    expect(calls).toBe(1);
    expect(takeRunning(queue, 2)).toEqual(["a/3"]);
  });

  it("CQ26: the keys of a busy group keep their order and their priorities", () => {
    const { queue } = priorityQueue({ groupConcurrency });
    for (let i = 0; i < 6; i++) {
      queue.add(`a/${i}`);
    }
    queue.add("a/low", { priority: -1 });
    expect(takeRunning(queue, 9)).toEqual(["a/0", "a/1"]);
    queue.add("a/high", { priority: 1 });
    queue.add("a/5", { priority: 1 });
    // Both slots are free before anybody takes a key.
    queue.done("a/0");
    queue.done("a/1");
    expect(takeRunning(queue, 9)).toEqual(["a/high", "a/5"]);
    queue.done("a/high");
    queue.done("a/5");
    expect(takeRunning(queue, 9)).toEqual(["a/2", "a/3"]);
    queue.done("a/2");
    queue.done("a/3");
    expect(takeRunning(queue, 9)).toEqual(["a/4", "a/low"]);
  });

  it("CQ26: a removed key hands its place to the next key of its group", () => {
    const { queue } = priorityQueue({ groupConcurrency: { by: namespaceOf, max: 1 } });
    for (const key of ["a/1", "a/2", "a/3", "a/4"]) {
      queue.add(key);
    }
    expect(takeRunning(queue, 9)).toEqual(["a/1"]);
    queue.remove("a/3");
    queue.done("a/1");
    queue.remove("a/2");
    expect(takeRunning(queue, 9)).toEqual(["a/4"]);
  });

  it("CQ26, CQ25, CQ24: works together with fair groups and aging", () => {
    const { queue, clock } = priorityQueue({
      agingMs: 1_000,
      fairBy: namespaceOf,
      groupConcurrency: { by: namespaceOf, max: 1 },
    });
    for (const key of ["a/1", "a/2", "b/1", "b/2"]) {
      queue.add(key, { priority: -10 });
    }
    expect(takeRunning(queue, 9)).toEqual(["a/1", "b/1"]);
    clock.advance(1_000);
    queue.add("c/1");
    queue.add("a/3", { priority: 1 });
    queue.done("a/1");
    queue.done("b/1");
    expect(takeRunning(queue, 9)).toEqual(["a/3", "c/1", "b/2"]);
    queue.done("a/3");
    expect(takeRunning(queue, 9)).toEqual(["a/2"]);
  });

  it("CQ26: rejects invalid options", () => {
    for (const invalid of [{ by: namespaceOf, max: 0 }, { by: namespaceOf }, { max: 1 }, 1]) {
      expect(() => priorityQueue({ groupConcurrency: invalid as never })).toThrow(
        "groupConcurrency: must be an object with a function by and an integer max of at least 1",
      );
    }
  });
});
