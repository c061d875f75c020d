import { createPriorityQueue } from "typekube/controller";
import { runCell } from "../cell.js";

/** Adds keys to a queue in one turn of the event loop. */
await runCell(
  async ({ count }) => {
    // As a cache has them: it has looked them up, so the texts are flat and their hashes are known.
    const keys = [...new Set(Array.from({ length: count }, (_, index) => `default/map-${index}`))];
    return async () => {
      const queue = createPriorityQueue();
      for (const key of keys) {
        queue.add(key);
      }
      return queue;
    };
  },
  (queue) => queue.depth,
);
