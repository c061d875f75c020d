import { startApiServer } from "@typekube/apiserver";
import { ConfigMap } from "typekube/api/core/v1";
import { defineKeyController, startManager } from "typekube/controller";
import { runCell } from "../cell.js";
import { warmUpCalls } from "../concurrently.js";
import { memoryInUse } from "../measurement.js";

/** Adds keys to a controller whose reconciler only counts them. The heap is that of the queue while all keys are ready. */
await runCell(
  async ({ count, variant }) => {
    let left = 0;
    let finish = () => {};
    let hold: Promise<void> | undefined;
    const counter = defineKeyController(ConfigMap, {
      reconcileKey() {
        if (--left === 0) {
          finish();
        }
        return hold;
      },
    });
    // The cache of the controller's kind needs a server. It sends nothing while keys are added.
    const client = await (await startApiServer()).client();
    const manager = await startManager(client, {
      controllers: [counter],
      queue: variant === "classic" ? "classic" : "priority",
    });
    const controller = manager.controller("configmap");
    const keys = Array.from({ length: count }, (_, index) => `default/map-${index}`);
    const drain = (some: readonly string[]) =>
      new Promise<void>((resolve) => {
        left = some.length;
        finish = resolve;
        for (const key of some) {
          controller.trigger(key);
        }
      });
    await drain(keys.slice(0, warmUpCalls(count)));
    const before = await memoryInUse();
    return async () => {
      await drain(keys);
      return async () => {
        hold = new Promise(() => {});
        left = -1;
        for (const key of keys) {
          controller.trigger(key);
        }
        return { keptMb: (await memoryInUse()) - before };
      };
    };
  },
  () => Number(process.argv[3]),
  (queueAll) => queueAll(),
);
