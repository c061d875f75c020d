import { CoreV1Api, PatchStrategy, setHeaderOptions } from "@kubernetes/client-node";
import { runCell } from "../../dist/cell.js";
import { concurrently, warmUpCalls } from "../../dist/concurrently.js";
import { configFor } from "./client-node-config.js";

const namespace = "team-00";

await runCell(
  async ({ url, count, variant }) => {
    const [verb = "", concurrency = "1"] = variant.split(" ");
    const api = configFor(url).makeApiClient(CoreV1Api);
    const read = await api.readNamespacedPod({ namespace, name: "pod" });
    const body = { ...read, metadata: { ...read.metadata, namespace } };
    const merge = setHeaderOptions("Content-Type", PatchStrategy.MergePatch);
    const call =
      verb === "create"
        ? () => api.createNamespacedPod({ namespace, body })
        : () =>
            api.patchNamespacedPod(
              { namespace, name: "pod", body: { metadata: { labels: { tier: "gold" } } } },
              merge,
            );
    await concurrently(warmUpCalls(count), Number(concurrency), call);
    return () => concurrently(count, Number(concurrency), call);
  },
  (done) => done,
);
