import { readdirSync } from "node:fs";
import { benchPod } from "../bench-pod.js";
import { runCell } from "../cell.js";
import { latenciesOf } from "../latencies.js";
import { connectToPod } from "./connect-to-pod.js";

/** Commands before those that are measured, so that hot code is compiled. */
const warmUpCommands = 1_000;

/** Commands one after the other. The growth of the heap is that over all of them; no file or socket stays open. */
await runCell(
  async ({ url, count, variant }) => {
    const pod = await connectToPod(url);
    const options = variant === "chosen" ? {} : { container: benchPod.container };
    const run = async (commands: number) => {
      const latencies = new Float64Array(commands);
      let succeeded = 0;
      for (let index = 0; index < commands; index++) {
        const startedAt = performance.now();
        const { exitCode } = await pod.exec(["true"], options);
        latencies[index] = performance.now() - startedAt;
        succeeded += exitCode === 0 ? 1 : 0;
      }
      return { latencies, succeeded };
    };
    await run(Math.min(warmUpCommands, count));
    const open = await openFiles();
    return async () => {
      const result = await run(count);
      const more = (await openFiles()) - open;
      if (more > 0) {
        throw new Error(`${more} more files or sockets are open than before`);
      }
      return result;
    };
  },
  ({ succeeded }) => succeeded,
  ({ latencies }) => latenciesOf(latencies),
);

/** Returns the number of open files and sockets, once those that are closing have closed. */
async function openFiles(): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 100));
  return process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0;
}
