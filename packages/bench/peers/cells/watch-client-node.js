import { CoreV1Api, Watch } from "@kubernetes/client-node";
import { runCell } from "../../dist/cell.js";
import { configFor } from "./client-node-config.js";
import { firstCall } from "./first-client-node-call.js";

await runCell(
  async ({ url, count }) => {
    const config = configFor(url);
    await firstCall(config.makeApiClient(CoreV1Api));
    const watch = new Watch(config);
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
