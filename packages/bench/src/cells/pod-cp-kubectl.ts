import { benchPod } from "../bench-pod.js";
import { runCell } from "../cell.js";
import { copyPlace, takeCopied } from "../copied-files.js";
import { figuresAtEnd, startKubectl } from "../program-figures.js";

/** Copies many small files with kubectl, from the start of its process. */
await runCell(
  async ({ url, count, variant, folder = "" }) => {
    const { source, target, parent, remote } = copyPlace(folder);
    const pod = `${benchPod.namespace}/${benchPod.name}`;
    const isFrom = variant === "from";
    const places = isFrom ? [`${pod}:${remote}`, target] : [source, `${pod}:${parent}`];
    const words = ["cp", ...places, "--container", benchPod.container];
    return async () => {
      const startedAt = performance.now();
      const figures = await figuresAtEnd(startKubectl(url, folder, words));
      const wallMs = performance.now() - startedAt;
      // The pod has counted the files that it got: its command failed otherwise.
      return {
        counted: () => (isFrom ? takeCopied(target) : count),
        figures: { ...figures, wallMs },
      };
    };
  },
  ({ counted }) => counted(),
  ({ figures }) => figures,
);
