import { PassThrough } from "node:stream";
import { Exec } from "@kubernetes/client-node";
import { benchPod } from "../../dist/bench-pod.js";
import { runCell } from "../../dist/cell.js";
import { latenciesOf } from "../../dist/latencies.js";
import { configFor } from "./client-node-config.js";

const warmUpCommands = 1_000;

await runCell(
  async ({ url, count }) => {
    const exec = new Exec(configFor(url));
    const { namespace, name, container } = benchPod;
    const succeeds = () =>
      new Promise((resolve, reject) => {
        const stdout = new PassThrough().resume();
        exec
          .exec(namespace, name, container, ["true"], stdout, null, null, false, ({ status }) =>
            resolve(status === "Success"),
          )
          .catch(reject);
      });
    const run = async (commands) => {
      const latencies = new Float64Array(commands);
      let succeeded = 0;
      for (let index = 0; index < commands; index++) {
        const startedAt = performance.now();
        succeeded += (await succeeds()) ? 1 : 0;
        latencies[index] = performance.now() - startedAt;
      }
      return { latencies, succeeded };
    };
    await run(Math.min(warmUpCommands, count));
    return () => run(count);
  },
  ({ succeeded }) => succeeded,
  ({ latencies }) => latenciesOf(latencies),
);
