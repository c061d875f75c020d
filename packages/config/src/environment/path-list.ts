import { posix } from "node:path";

/**
 * Splits a list of paths like Go's `filepath.SplitList`. On Windows a semicolon inside quotes does not split, and the
 * quotes are removed: `set KUBECONFIG="C:\a b\config"` keeps them in the variable.
 */
export function splitPathList(list: string, platform: NodeJS.Platform): string[] {
  const paths =
    platform === "win32"
      ? (list.match(/(?:"[^"]*"?|[^";])+/g) ?? []).map((path) => path.replaceAll('"', ""))
      : list.split(posix.delimiter);
  return paths.filter((path) => path !== "");
}
