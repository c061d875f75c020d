import { CoreV1Api } from "@kubernetes/client-node";
import { runCell } from "../../dist/cell.js";
import { concurrently, warmUpCalls } from "../../dist/concurrently.js";
import { configFor } from "./client-node-config.js";

await runCell(
  async ({ url, count, variant, ca }) => {
    const api = configFor(url, variant.includes("trusted") ? undefined : ca).makeApiClient(
      CoreV1Api,
    );
    const concurrency = Number.parseInt(variant, 10);
    const get = () => api.readNamespacedPod({ namespace: "team-00", name: "pod" });
    await concurrently(warmUpCalls(count), concurrency, get);
    return () => concurrently(count, concurrency, get);
  },
  (done) => done,
);
