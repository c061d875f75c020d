import type { KubeObject, Live } from "@typekube/api";
import type { Change } from "@typekube/informer";
import { ChangeQueue, coalesce } from "@typekube/informer/internal";
import { describe, expect, it } from "vitest";
import { pod } from "../scripted-source.js";

const live = (name: string, version: number, uid?: string) =>
  pod(name, version, uid ? { uid } : {}) as Live<KubeObject>;
const add = (name: string, version: number, uid?: string): Change => ({
  type: "add",
  key: name,
  object: live(name, version, uid),
  initial: false,
});
const update = (name: string, from: number, to: number): Change => ({
  type: "update",
  key: name,
  object: live(name, to),
  previous: live(name, from),
});
const gone = (name: string, version: number, previous = version - 1): Change => ({
  type: "delete",
  key: name,
  object: live(name, version),
  previous: live(name, previous),
  finalStateUnknown: false,
});

function describeChange(change: Change): string {
  const from = "previous" in change ? `${change.previous.metadata.resourceVersion}->` : "";
  return `${change.type} ${change.key} ${from}${change.object.metadata.resourceVersion}`;
}

function drain(queue: ChangeQueue<KubeObject>): string[] {
  const out: string[] = [];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
    out.push(typeof item === "function" ? "mark" : describeChange(item));
  }
  return out;
}

/** Returns a generator of deterministic numbers in [0, 1). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe("coalescing two changes of one object", () => {
  it("a move out of the shard and back unchanged cancel out; a changed object is an update", () => {
    const moved = gone("a", 1, 1);
    expect(coalesce(moved, add("a", 1))).toBeUndefined();
    const changed = coalesce(moved, add("a", 2));
    expect(changed && describeChange(changed)).toBe("update a 1->2");
    const another = coalesce(moved, add("a", 1, "another"));
    expect(another && describeChange(another)).toBe("replaced a 1->1");
  });
});

describe("the queue of a handler", () => {
  it("Q1, Q5: keeps every change in order below its limit", () => {
    const queue = new ChangeQueue(10);
    queue.push([add("a", 1), add("b", 2)]);
    queue.push([update("a", 1, 3)]);
    expect(drain(queue)).toEqual(["add a 1", "add b 2", "update a 1->3"]);
  });

  it("N14: keeps one change per object beyond its limit, at the place of the first", () => {
    const queue = new ChangeQueue(3);
    queue.push([add("a", 1)]);
    queue.push([update("b", 1, 2), update("a", 1, 3)]);
    queue.push([update("b", 2, 4), add("c", 5)]);
    expect(queue.length).toBe(3);
    expect(drain(queue)).toEqual(["add a 3", "update b 1->4", "add c 5"]);
  });

  it("add and delete cancel out; delete and add become an update, or a replacement for another uid", () => {
    expect(coalesce(add("a", 1), gone("a", 2))).toBeUndefined();
    expect(describeChange(coalesce(gone("a", 2), add("a", 3)) as Change)).toBe("update a 1->3");
    expect(coalesce(gone("a", 2), add("a", 3, "other"))?.type).toBe("replaced");
    expect(coalesce(update("a", 1, 2), gone("a", 3))).toEqual(gone("a", 3, 1));
  });

  it("Q12: no object overtakes another", () => {
    const queue = new ChangeQueue(1);
    const keys = Array.from({ length: 50 }, (_, i) => `k${i}`);
    queue.push(keys.map((key) => add(key, 1)));
    for (let round = 2; round < 12; round++) {
      queue.push([...keys].reverse().map((key) => update(key, round - 1, round)));
    }
    expect(queue.length).toBeLessThanOrEqual(100);
    const order = drain(queue).map((line) => line.split(" ")[1]);
    expect([...new Set(order)]).toEqual(keys);
  });

  it("Q10: keeps a mark behind everything that was queued before it", () => {
    const queue = new ChangeQueue(2);
    queue.push([add("a", 1)]);
    queue.push([add("b", 1)]);
    queue.mark(() => {});
    queue.push([update("a", 1, 2), update("b", 1, 2)]);
    expect(drain(queue)).toEqual(["add a 2", "add b 2", "mark"]);
  });

  it("is never longer than the limit or twice the number of its objects", () => {
    const queue = new ChangeQueue(100);
    let longest = 0;
    for (let i = 0; i < 20_000; i++) {
      queue.push([update(`k${i % 300}`, i, i + 1)]);
      longest = Math.max(longest, queue.length);
    }
    expect(longest).toBeLessThanOrEqual(600);
  });

  it("N14: coalesced changes are a possible history that leads to the right state (500 seeds)", () => {
    for (let seed = 1; seed <= 500; seed++) {
      const random = numbers(seed);
      const queue = new ChangeQueue(Math.floor(random() * 8));
      const truth = new Map<string, Live<KubeObject>>();
      const seen = new Map<string, Live<KubeObject>>();
      const deliver = (count: number) => {
        for (let i = 0; i < count; i++) {
          const change = queue.shift();
          if (typeof change !== "object") {
            return;
          }
          const before = seen.get(change.key);
          if (change.type === "add") {
            expect(before).toBeUndefined();
          } else {
            expect(before).toBe(change.previous);
          }
          if (change.type === "update" || change.type === "replaced") {
            expect(change.type === "replaced").toBe(
              change.previous.metadata.uid !== change.object.metadata.uid,
            );
          }
          if (change.type === "delete") {
            seen.delete(change.key);
          } else {
            seen.set(change.key, change.object);
          }
        }
      };
      for (let version = 1; version <= 60; version++) {
        const key = `k${Math.floor(random() * 4)}`;
        const previous = truth.get(key);
        if (previous === undefined) {
          const object = live(key, version, `uid-${version}`);
          truth.set(key, object);
          queue.push([{ type: "add", key, object, initial: false }]);
        } else if (random() < 0.4) {
          truth.delete(key);
          const object = live(key, version, previous.metadata.uid);
          queue.push([{ type: "delete", key, object, previous, finalStateUnknown: false }]);
        } else {
          const object = live(key, version, previous.metadata.uid);
          truth.set(key, object);
          queue.push([{ type: "update", key, object, previous }]);
        }
        deliver(random() < 0.3 ? Math.floor(random() * 5) : 0);
      }
      deliver(Number.POSITIVE_INFINITY);
      expect(seen).toEqual(truth);
    }
  });
});
