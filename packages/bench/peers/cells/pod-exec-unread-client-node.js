import { PassThrough } from "node:stream";
import { Exec } from "@kubernetes/client-node";
import { benchPod } from "../../dist/bench-pod.js";
import { runCell } from "../../dist/cell.js";
import { growthAbove, idleMemory } from "../../dist/unread-growth.js";
import { configFor } from "./client-node-config.js";

await runCell(
  async ({ url, count }) => {
    const exec = new Exec(configFor(url));
    const { namespace, name, container } = benchPod;
    const start = async (bytes) => {
      const stdout = new PassThrough();
      const command = ["output", String(bytes)];
      await exec.exec(namespace, name, container, command, stdout, null, null, false);
      return stdout;
    };
    const read = async (stdout) => {
      let received = 0;
      for await (const chunk of stdout) {
        received += chunk.length;
      }
      return received;
    };
    await read(await start(1));
    return async () => {
      const idle = idleMemory();
      const stdout = await start(count);
      const growthMb = await growthAbove(idle);
      return { received: await read(stdout), growthMb };
    };
  },
  ({ received }) => received,
  ({ growthMb }) => ({ growthMb }),
);
