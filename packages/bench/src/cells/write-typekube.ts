import { connect, mergePatch } from "typekube";
import { Pod } from "typekube/api/core/v1";
import { runCell } from "../cell.js";
import { concurrently, warmUpCalls } from "../concurrently.js";
import { makePods } from "../pod-data.js";

await runCell(
  async ({ url, count, variant }) => {
    const [verb = "", concurrency = "1"] = variant.split(" ");
    const client = await connect({ server: url });
    const pods = client.resource(Pod, "team-00");
    const [pod] = makePods(1);
    const body = { ...pod, metadata: { ...pod?.metadata, namespace: "team-00" } } as Pod;
    const call =
      verb === "create"
        ? () => pods.create(body)
        : () => pods.patch("pod", mergePatch({ metadata: { labels: { tier: "gold" } } }));
    await concurrently(warmUpCalls(count), Number(concurrency), call);
    return () => concurrently(count, Number(concurrency), call);
  },
  (done) => done,
);
