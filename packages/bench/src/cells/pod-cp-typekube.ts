import { runWholeCell } from "../cell.js";
import { copyPlace, takeCopied } from "../copied-files.js";

/** Copies many small files, from the start of the process. */
await runWholeCell(
  async ({ url, variant, folder }) => {
    const { connectToPod } = await import("./connect-to-pod.js");
    const pod = await connectToPod(url);
    const { source, target, parent, remote } = copyPlace(folder);
    if (variant === "from") {
      await pod.copyFrom(remote, target);
      return () => takeCopied(target);
    }
    const { files } = await pod.copyTo(source, parent);
    // The pod has counted them, too: its command failed otherwise.
    return () => files;
  },
  (counted) => counted(),
);
