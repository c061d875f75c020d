import { CoreV1Api, makeInformer } from "@kubernetes/client-node";
import { runCell } from "../../dist/cell.js";
import { configFor } from "./client-node-config.js";
import { firstCall } from "./first-client-node-call.js";

await runCell(
  async ({ url }) => {
    const config = configFor(url);
    const api = config.makeApiClient(CoreV1Api);
    await firstCall(api);
    return async () => {
      const informer = makeInformer(config, "/api/v1/pods", () => api.listPodForAllNamespaces());
      await informer.start();
      return informer;
    };
  },
  (informer) => informer.list().length,
);
