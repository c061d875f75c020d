import { expect, it } from "vitest";
import { FollowBuffer } from "../src/follow/follow-buffer.js";
import { ChangeQueue } from "../src/handlers/change-queue.js";
import { pod } from "./scripted-source.js";

const never = Number.POSITIVE_INFINITY;
const object = pod("a", 1) as never;
const rounds = 2_000_000;

function grownBy(run: () => void): number {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  run();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed - before;
}

it("N14: a queue that never coalesces and never empties releases the slots of delivered changes", () => {
  const queue = new ChangeQueue<never>(never);
  const change = { type: "update", key: "a", object, previous: object } as never;
  queue.push([change]);
  const grown = grownBy(() => {
    for (let i = 0; i < rounds; i++) {
      queue.push([change]);
      queue.shift();
    }
  });
  expect(queue.length).toBe(1);
  expect(grown).toBeLessThan(4e6);
});

it("N14: a buffer that never coalesces and never empties releases the slots of events that were read", () => {
  const buffer = new FollowBuffer<never>({ maxBufferedEvents: never, maxBufferedObjects: never });
  const event = { type: "applied", object } as const;
  buffer.push([event]);
  const grown = grownBy(() => {
    for (let i = 0; i < rounds; i++) {
      buffer.push([event]);
      buffer.shift();
    }
  });
  expect(buffer.length).toBe(1);
  expect(grown).toBeLessThan(4e6);
});
