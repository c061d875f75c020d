import { startApiServer } from "@typekube/apiserver";
import { Pod } from "typekube/api/core/v1";
import { admission, startManager } from "typekube/controller";
import { runCell } from "../cell.js";
import { warmUpCalls } from "../concurrently.js";
import { startLoad } from "../start-load.js";

/** A webhook that sets one label, under the load of another process. */
await runCell(
  async ({ count, variant }) => {
    // The webhook registers itself there; nothing is sent to it while reviews come in.
    const client = await (await startApiServer()).client();
    const hooks = admission(Pod, {
      excludeNamespaces: ["kube-system"],
      mutate(draft) {
        draft.metadata = {
          ...draft.metadata,
          labels: { ...draft.metadata?.labels, reviewed: "yes" },
        };
      },
    });
    const directory = process.env["BENCH_CERTIFICATES"] ?? "";
    const url = "https://127.0.0.1:0";
    const manager = await startManager(client, {
      webhooks: { handlers: [hooks], url, host: "127.0.0.1", port: 0, certificates: { directory } },
    });
    const reviews = startLoad(
      `https://127.0.0.1:${manager.webhooks?.port}/mutate--v1-pod`,
      variant,
    );
    await reviews(warmUpCalls(count));
    return () => reviews(count);
  },
  (done) => done.count,
  ({ count: _, ...latencies }) => latencies,
);
