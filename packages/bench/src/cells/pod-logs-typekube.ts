import { benchPod, lineBytes } from "../bench-pod.js";
import { runCell } from "../cell.js";
import { connectToPod } from "./connect-to-pod.js";

/** A followed log, line by line, or without `follow` in another variant. */
await runCell(
  async ({ url, count, variant }) => {
    const pod = await connectToPod(url);
    const options = { container: benchPod.container, follow: variant !== "whole" };
    const read = async (lines: number) => {
      let complete = 0;
      for await (const line of pod.logs({ ...options, tailLines: lines })) {
        complete += line.length === lineBytes ? 1 : 0;
      }
      return complete;
    };
    await read(1);
    return () => read(count);
  },
  (lines) => lines,
);
