import { Watch } from "@kubernetes/client-node";
import { runCell } from "../../dist/cell.js";
import { configFor } from "./client-node-config.js";

await runCell(
  async ({ url, count }) => {
    const watch = new Watch(configFor(url));
    return () =>
      new Promise((resolve, reject) => {
        let seen = 0;
        const onEvent = () => {
          if (++seen === count) {
            resolve(seen);
          }
        };
        watch
          .watch("/api/v1/pods", { labelSelector: `events-${count}` }, onEvent, reject)
          .catch(reject);
      });
  },
  (seen) => seen,
);
