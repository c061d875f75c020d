import { benchPod } from "../bench-pod.js";
import { runCell } from "../cell.js";
import { startLoad } from "../start-load.js";
import { connectToPod } from "./connect-to-pod.js";

/** A forwarded port, which another process reads from. */
await runCell(
  async ({ url, count, variant }) => {
    const forward = await (await connectToPod(url)).portForward(benchPod.port);
    const listener = await forward.listen(0);
    const load = startLoad(listener.url, variant);
    return () => load(count);
  },
  ({ count }) => count,
);
