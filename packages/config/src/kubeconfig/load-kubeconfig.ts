import { dirname } from "node:path";
import { fileProblemOf, readConfigFile } from "@typekube/transport/internal";
import { ConfigProblem, configError } from "../errors/config-problem.js";
import type { Kubeconfig } from "./kubeconfig.js";
import { kubeconfigPaths } from "./kubeconfig-paths.js";
import {
  assertLoadKubeconfigOptions,
  type LoadKubeconfigOptions,
} from "./load-kubeconfig-options.js";
import { MergedKubeconfig } from "./merged-kubeconfig.js";
import { checkedFile } from "./parse-kubeconfig.js";
import { parseYaml } from "./parse-yaml.js";

/**
 * Reads and merges the kubeconfig files as kubectl does: `path`, or the list in `KUBECONFIG`, or `~/.kube/config`. Of
 * entries with the same name, the first file's entry is used as a whole. Relative paths are resolved against the folder
 * of their file. Use {@link parseKubeconfig} for text and objects.
 *
 * @throws {KubeError} `Config`, with all problems of all files.
 */
export async function loadKubeconfig(options: LoadKubeconfigOptions = {}): Promise<Kubeconfig> {
  assertLoadKubeconfigOptions(options);
  return loadFiles((await kubeconfigPaths(options)).paths, options.path !== undefined);
}

/**
 * Reads and merges these files.
 *
 * @param mustExist - `true` when a missing file is an error.
 */
export async function loadFiles(paths: readonly string[], mustExist: boolean): Promise<Kubeconfig> {
  const missingFiles: string[] = [];
  const problems: ConfigProblem[] = [];
  const merged = new MergedKubeconfig();
  for (const path of paths) {
    try {
      const text = await readIfThere(path);
      if (text === undefined) {
        missingFiles.push(path);
      } else {
        merged.add(path, await checkedFile(await parseYaml(text, path), path), dirname(path));
      }
    } catch (error) {
      if (!(error instanceof ConfigProblem)) {
        throw error;
      }
      problems.push(error);
    }
  }
  if (mustExist) {
    for (const path of missingFiles) {
      problems.push(new ConfigProblem("FileMissing", `the kubeconfig file ${path} does not exist`));
    }
  }
  if (problems.length > 0) {
    throw configError(problems);
  }
  return { ...merged.done(), missingFiles };
}

/** Reads a kubeconfig file. The user names it, so it may be a pipe: `KUBECONFIG=<(sops --decrypt config)`. */
export function readKubeconfigFile(path: string): Promise<string> {
  return readConfigFile(path, { allowsPipes: true });
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readKubeconfigFile(path);
  } catch (error) {
    const problem = fileProblemOf(error);
    if (problem === "ENOENT" || problem === "ENOTDIR") {
      return undefined;
    }
    throw new ConfigProblem(
      "Unreadable",
      `the kubeconfig file ${path} cannot be read (${problem})`,
    );
  }
}
