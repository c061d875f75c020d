import { connect } from "typekube";
import { Pod } from "typekube/api/core/v1";
import { runCell } from "../cell.js";
import { concurrently, warmUpCalls } from "./concurrently.js";

await runCell(
  async ({ url, count, variant, ca }) => {
    const client = await connect({ server: url, ...(ca ? { ca } : {}) });
    const pods = client.resource(Pod, "team-00");
    const get = () => pods.get("pod");
    await concurrently(warmUpCalls, Number(variant), get);
    return () => concurrently(count, Number(variant), get);
  },
  (done) => done,
);
