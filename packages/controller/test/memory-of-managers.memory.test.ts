import { ConfigMap } from "@typekube/api/core/v1";
import { startApiServer } from "@typekube/apiserver";
import { defineController, type Manager, startManager } from "@typekube/controller";
import { expect, test } from "vitest";

test("CM17: a manager that was stopped and dropped can be collected", async () => {
  await using api = await startApiServer();
  await using client = await api.client();
  const started = async (): Promise<WeakRef<Manager>> => {
    const controller = defineController(ConfigMap, { reconcile() {} });
    const manager = await startManager(client, { controllers: [controller], log() {} });
    await api.settled();
    await manager.stop();
    return new WeakRef(manager);
  };
  const dropped = await started();
  await expect
    .poll(() => {
      (globalThis as { gc?: () => void }).gc?.();
      // A boolean, for a failed poll keeps the value that it saw.
      return dropped.deref() === undefined;
    })
    .toBe(true);
});

test("U4: a key that was taken and done is not kept", async () => {
  const { createPriorityQueue } = await import("@typekube/controller");
  const queue = createPriorityQueue();
  for (let n = 0; n < 10_000; n++) {
    queue.add(`key-${n}`);
  }
  for (let taken = queue.takeNow(); taken !== undefined; taken = queue.takeNow()) {
    queue.done(taken.key);
  }
  expect(queue.snapshot()).toEqual([]);
});
