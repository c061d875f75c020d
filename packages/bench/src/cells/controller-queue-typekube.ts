import { startApiServer } from "@typekube/apiserver";
import { ConfigMap } from "typekube/api/core/v1";
import { defineKeyController, startManager } from "typekube/controller";
import { runCell } from "../cell.js";
import { memoryInUse } from "../measurement.js";

/** Keys before those that are measured: as long as the 2,000 calls before measured ones, so that hot code is compiled. */
const warmUpKeys = 50_000;

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
    // As a cache has them: it has looked them up, so the texts are flat and their hashes are known.
    const keys = [...new Set(Array.from({ length: count }, (_, index) => `default/map-${index}`))];
    const drain = (some: readonly string[]) =>
      new Promise<void>((resolve) => {
        left = some.length;
        finish = resolve;
        for (const key of some) {
          controller.trigger(key);
        }
      });
    const before = await memoryInUse();
    for (let left = warmUpKeys; left > 0; left -= count) {
      await drain(keys.slice(0, left));
    }
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
