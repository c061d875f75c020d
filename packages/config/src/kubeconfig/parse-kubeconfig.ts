import { KubeError } from "@typekube/core";
import { ConfigProblem, configError } from "../errors/config-problem.js";
import type { Kubeconfig } from "./kubeconfig.js";
import type { KubeconfigFile } from "./kubeconfig-schema.js";
import { MergedKubeconfig } from "./merged-kubeconfig.js";
import { parseYaml } from "./parse-yaml.js";

/**
 * The content of a kubeconfig file as an object: `{ apiVersion: "v1", kind: "Config", clusters, contexts, users,
 * "current-context" }`.
 */
export type KubeconfigContent = Readonly<Record<string, unknown>>;

/** Options of {@link parseKubeconfig}. */
export interface ParseKubeconfigOptions {
  /** Folder against which relative paths are resolved. Default: the current folder. */
  readonly folder?: string | undefined;
}

/**
 * Parses the content of a kubeconfig: YAML or JSON text, or an object in the shape of the file.
 *
 * @example
 * ```ts
 * const kubeconfig = await parseKubeconfig(new TextDecoder().decode(secretData));
 * await using client = await connect({ kubeconfig });
 * ```
 *
 * @throws {KubeError} `Config` with all problems, by line or field and without values; `InvalidArgument` for anything
 * but a string or an object.
 */
export async function parseKubeconfig(
  content: KubeconfigContent | string,
  { folder = process.cwd() }: ParseKubeconfigOptions = {},
): Promise<Kubeconfig> {
  const source = typeof content === "string" ? "kubeconfig text" : "kubeconfig object";
  const isObject =
    typeof content === "object" &&
    content !== null &&
    !Array.isArray(content) &&
    !ArrayBuffer.isView(content);
  if (typeof content !== "string" && !isObject) {
    throw new KubeError(
      "InvalidArgument",
      "a kubeconfig must be YAML text or an object with the file's structure",
      { hint: "to pass bytes, decode them first: new TextDecoder().decode(bytes)" },
    );
  }
  const merged = new MergedKubeconfig();
  try {
    const value = typeof content === "string" ? await parseYaml(content, source) : content;
    merged.add(source, await checkedFile(value, source), folder);
  } catch (error) {
    throw error instanceof ConfigProblem ? configError([error]) : error;
  }
  return { ...merged.done(), missingFiles: [] };
}

/**
 * Validates the content of one file.
 *
 * @throws {ConfigProblem} `Malformed`, listing the fields without their values.
 */
export async function checkedFile(content: unknown, source: string): Promise<KubeconfigFile> {
  // The schema brings zod with it; configurations without a kubeconfig never load either.
  const { parseKubeconfigFile } = await import("./kubeconfig-schema.js");
  const result = parseKubeconfigFile(content);
  if ("problems" in result) {
    throw new ConfigProblem("Malformed", `${source}: ${result.problems.join(", ")}`);
  }
  return result.file;
}
