import { benchPod } from "../bench-pod.js";
import { runCell } from "../cell.js";
import { growthAbove, idleMemory } from "../unread-growth.js";
import { connectToPod } from "./connect-to-pod.js";

/** Output that is unread for a while, and how much memory it takes. All of it is read after that. */
await runCell(
  async ({ url, count }) => {
    const pod = await connectToPod(url);
    const { container } = benchPod;
    const start = (bytes: number) =>
      pod.exec(["output", String(bytes)], { session: true, container });
    await (await start(1)).result;
    return async () => {
      const idle = idleMemory();
      const session = await start(count);
      const growthMb = await growthAbove(idle);
      let received = 0;
      for await (const chunk of session.stdout) {
        received += (chunk as Buffer).byteLength;
      }
      await session.result;
      return { received, growthMb };
    };
  },
  ({ received }) => received,
  ({ growthMb }) => ({ growthMb }),
);
