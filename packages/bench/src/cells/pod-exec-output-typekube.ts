import { benchPod } from "../bench-pod.js";
import { runCell } from "../cell.js";
import { connectToPod } from "./connect-to-pod.js";

await runCell(
  async ({ url, count }) => {
    const pod = await connectToPod(url);
    const { container } = benchPod;
    const read = async (bytes: number) => {
      const session = await pod.exec(["output", String(bytes)], { session: true, container });
      let received = 0;
      for await (const chunk of session.stdout) {
        received += (chunk as Buffer).byteLength;
      }
      const { exitCode } = await session.result;
      return exitCode === 0 ? received : -1;
    };
    await read(1);
    return () => read(count);
  },
  (received) => received,
);
