import { finished } from "node:stream/promises";
import { benchPod, copiedFiles } from "../../dist/bench-pod.js";
import { runWholeCell } from "../../dist/cell.js";
import { copyPlace, takeCopied } from "../../dist/copied-files.js";

// Its promises resolve when the command has started: the end of the output, or the status, is the end of the copy.
await runWholeCell(
  async ({ url, variant, folder, count }) => {
    const [{ Cp, Exec }, { configFor }] = await Promise.all([
      import("@kubernetes/client-node"),
      import("./client-node-config.js"),
    ]);
    const exec = new Exec(configFor(url));
    const isFrom = variant === "from";
    const { source, target, parent } = copyPlace(folder);
    const { namespace, name, container } = benchPod;
    await new Promise((resolve, reject) => {
      const execution = {
        exec: async (ns, pod, c, command, stdout, stderr, stdin, tty) => {
          if (isFrom) {
            finished(stdout).then(resolve, reject);
          }
          return exec.exec(ns, pod, c, command, stdout, stderr, stdin, tty, ({ status }) => {
            if (status !== "Success") {
              reject(new Error("the command failed"));
            } else if (!isFrom) {
              resolve();
            }
          });
        },
      };
      const cp = new Cp(configFor(url), execution);
      const copied = isFrom
        ? cp.cpFromPod(namespace, name, container, copiedFiles.name, target, parent)
        : cp.cpToPod(namespace, name, container, source, parent);
      copied.catch(reject);
    });
    return () => (isFrom ? takeCopied(`${target}/${copiedFiles.name}`) : count);
  },
  (counted) => counted(),
);
