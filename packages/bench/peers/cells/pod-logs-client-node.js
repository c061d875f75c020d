import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { Log } from "@kubernetes/client-node";
import { benchPod, lineBytes } from "../../dist/bench-pod.js";
import { runCell } from "../../dist/cell.js";
import { configFor } from "./client-node-config.js";

await runCell(
  async ({ url, count }) => {
    const log = new Log(configFor(url));
    const { namespace, name, container } = benchPod;
    const read = async (tailLines) => {
      const stream = new PassThrough();
      await log.log(namespace, name, container, stream, { follow: true, tailLines });
      return new Promise((resolve) => {
        let complete = 0;
        createInterface({ input: stream })
          .on("line", (line) => {
            complete += line.length === lineBytes ? 1 : 0;
          })
          .on("close", () => resolve(complete));
      });
    };
    await read(1);
    return () => read(count);
  },
  (lines) => lines,
);
