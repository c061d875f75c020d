import { join, posix, resolve, win32 } from "node:path";
import { isPlausiblePath } from "@typekube/transport/internal";
import { homeDirectory } from "../environment/home-directory.js";
import { splitPathList } from "../environment/path-list.js";
import { processEnvironment } from "../environment/process-environment.js";
import { ConfigProblem, configError } from "../errors/config-problem.js";
import type { LoadKubeconfigOptions } from "./load-kubeconfig-options.js";

/** Kubeconfig files to read, each once, in order. Empty when no file is named and there is no home directory. */
export interface KubeconfigPaths {
  readonly paths: readonly string[];
  /** `true` for the default `~/.kube/config`, which the user did not name. */
  readonly isDefault: boolean;
}

/**
 * Finds the files: `path`, or the list in `KUBECONFIG`, or `~/.kube/config`.
 *
 * @throws {KubeError} `Config` for content in place of a path; the content is not quoted.
 */
export async function kubeconfigPaths(options: LoadKubeconfigOptions): Promise<KubeconfigPaths> {
  const env = options.env ?? processEnvironment();
  if (options.path !== undefined) {
    assertPath("path", options.path);
    return { paths: [resolve(options.path)], isDefault: false };
  }
  const list = env["KUBECONFIG"] ?? "";
  assertPath("the environment variable KUBECONFIG", list);
  const named = splitPathList(list, process.platform);
  if (named.length > 0) {
    return { paths: [...new Set(named.map((path) => resolve(path)))], isDefault: false };
  }
  const home = options.homeDir ?? (await homeDirectory(env));
  return { paths: home ? [join(home, ".kube", "config")] : [], isDefault: true };
}

/** Longest list of paths in characters; single paths have their own limit. */
const maxListLength = 32 * 1024;

function assertPath(name: string, value: unknown): void {
  const separators = new RegExp(`[${posix.delimiter}${win32.delimiter}]`);
  const isPath =
    typeof value === "string" &&
    value.length <= maxListLength &&
    !/: /.test(value) &&
    value.split(separators).every(isPlausiblePath);
  if (!isPath) {
    const what =
      typeof value === "string" ? `a string of ${value.length} characters` : typeof value;
    throw configError(
      [new ConfigProblem("Invalid", `${name} must be the path of a kubeconfig file, not ${what}`)],
      "pass the text of a kubeconfig to parseKubeconfig() or connect({ kubeconfig })",
    );
  }
}
