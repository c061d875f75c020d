import { once } from "node:events";
import { createInterface } from "node:readline";
import { benchPod } from "../bench-pod.js";
import { runCell } from "../cell.js";
import { figuresOf, startKubectl } from "../program-figures.js";
import { startLoad } from "../start-load.js";

/** A port that kubectl forwards. */
await runCell(
  async ({ url, count, variant, folder = "" }) => {
    const { namespace, name, port } = benchPod;
    const words = ["port-forward", "--namespace", namespace, name, `:${port}`];
    const kubectl = startKubectl(url, folder, words);
    process.on("exit", () => kubectl.kill());
    const lines = createInterface({ input: kubectl.stdout as NodeJS.ReadableStream });
    const [line] = (await Promise.race([
      once(lines, "line"),
      once(kubectl, "exit").then(() => Promise.reject(new Error("kubectl ended"))),
    ])) as [string];
    const load = startLoad(`http://127.0.0.1:${/:(\d+) ->/.exec(line)?.[1]}`, variant);
    return async () => {
      const before = figuresOf(kubectl);
      const { count: received } = await load(count);
      const after = figuresOf(kubectl);
      const cpuMs = after.cpuMs - before.cpuMs;
      return { received, figures: { ...after, cpuMs, mainMs: cpuMs } };
    };
  },
  ({ received }) => received,
  ({ figures }) => figures,
);
