import { CoreV1Api } from "@kubernetes/client-node";
import { runCell } from "../../dist/cell.js";
import { configFor } from "./client-node-config.js";

await runCell(
  async ({ url }) => {
    const api = configFor(url).makeApiClient(CoreV1Api);
    return () => api.listPodForAllNamespaces();
  },
  (list) => list.items.length,
);
