import { expect, it } from "vitest";
import type { Controller } from "../../src/controllers/runtime/controller.js";
import { createWorkQueue } from "../../src/controllers/runtime/work-queue.js";
import { StatusError } from "../../src/errors/status-errors.js";
import { createVirtualClock } from "../../src/time/virtual-clock.js";
import { createWork } from "../../src/time/work.js";

/** Returns a queue on a virtual clock, and the times in milliseconds at which its controller ran. */
function createQueue(reconcile: (run: number) => ReturnType<Controller["reconcile"]>) {
  const clock = createVirtualClock(0);
  const runs: number[] = [];
  const reported: unknown[] = [];
  const queue = createWorkQueue(clock, Promise.resolve(), createWork(), (_, error) => {
    reported.push(error);
  });
  const controller: Controller = {
    name: "test",
    keysOf: () => [],
    reconcile: () => reconcile(runs.push(clock.now())),
  };
  return { clock, runs, reported, add: () => queue.add(controller, "a"), stop: queue.stop };
}

it("a key that is added twice is reconciled once, after the reaction delay", async () => {
  const { clock, runs, add } = createQueue(() => undefined);
  add();
  add();
  await clock.advance(1_000);
  expect(runs).toEqual([50]);
});

it("a rejected write is retried with a doubled back-off, and not reported", async () => {
  const rejection = new StatusError({ kind: "Status", apiVersion: "v1", code: 409 });
  const { clock, runs, reported, add } = createQueue((run) => {
    if (run < 4) {
      throw rejection;
    }
    return undefined;
  });
  add();
  await clock.advance(10_000);
  expect(runs).toEqual([50, 150, 350, 750]);
  expect(reported).toEqual([]);
});

it("any other error is reported, and its key is retried", async () => {
  const { clock, runs, reported, add } = createQueue(async (run) => {
    if (run === 1) {
      throw new Error("a bug");
    }
    return undefined;
  });
  add();
  await clock.advance(10_000);
  expect(runs).toEqual([50, 150]);
  expect(reported).toMatchObject([{ message: "a bug" }]);
});

it("a stopped queue reconciles nothing more", async () => {
  const { clock, runs, add, stop } = createQueue(() => undefined);
  add();
  stop();
  add();
  await clock.advance(10_000);
  expect(runs).toEqual([]);
});
