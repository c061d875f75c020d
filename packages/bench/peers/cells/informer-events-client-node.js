import { CoreV1Api, makeInformer } from "@kubernetes/client-node";
import { runCell } from "../../dist/cell.js";
import { configFor } from "./client-node-config.js";
import { firstCall } from "./first-client-node-call.js";

await runCell(
  async ({ url, count }) => {
    const config = configFor(url);
    const api = config.makeApiClient(CoreV1Api);
    await firstCall(api);
    const labelSelector = `events-${count}`;
    return () =>
      new Promise((resolve, reject) => {
        const informer = makeInformer(
          config,
          "/api/v1/pods",
          () => api.listPodForAllNamespaces({ labelSelector }),
          labelSelector,
        );
        let seen = 0;
        const notice = () => {
          if (++seen === count) {
            resolve(seen);
          }
        };
        informer.on("add", notice);
        informer.on("update", notice);
        informer.on("delete", notice);
        informer.on("error", reject);
        informer.start().catch(reject);
      });
  },
  (seen) => seen,
);
