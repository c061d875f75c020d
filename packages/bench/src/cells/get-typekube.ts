import { connect } from "typekube";
import { Pod } from "typekube/api/core/v1";
import { runCell } from "../cell.js";
import { concurrently, warmUpCalls } from "../concurrently.js";

await runCell(
  async ({ url, count, variant, ca }) => {
    const client = await connect({ server: url, ...(ca ? { ca } : {}) });
    const pods = client.resource(Pod, "team-00");
    const concurrency = Number.parseInt(variant, 10);
    const encoding = variant.includes("protobuf") ? "protobuf" : "auto";
    const get = () => pods.get("pod", { encoding });
    await concurrently(warmUpCalls(count), concurrency, get);
    return () => concurrently(count, concurrency, get);
  },
  (done) => done,
);
