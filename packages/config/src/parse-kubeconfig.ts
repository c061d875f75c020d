import { KubeError } from "@typekube/core";
import { ConfigProblem, configError } from "./config-problem.js";
import type { Kubeconfig } from "./kubeconfig.js";
import type { KubeconfigFile } from "./kubeconfig-schema.js";
import { MergedKubeconfig } from "./merged-kubeconfig.js";
import { parseYaml } from "./parse-yaml.js";

/** A kubeconfig in the shape of its file: `{ apiVersion: "v1", kind: "Config", clusters, contexts, users, "current-context" }`. */
export type KubeconfigContent = Readonly<Record<string, unknown>>;

/** Options of {@link parseKubeconfig}. */
export interface ParseKubeconfigOptions {
  /** Folder that relative paths in it belong to. Default: the current one. */
  readonly folder?: string | undefined;
}

/**
 * Reads the content of a kubeconfig: YAML or JSON text, or the object that such a text stands for.
 *
 * @example
 * const kubeconfig = await parseKubeconfig(new TextDecoder().decode(secretData));
 * await using client = await connect({ kubeconfig });
 *
 * @throws {KubeError} `Config` with everything that is wrong, by line or field and without its values; `InvalidArgument` for
 *   anything but a text or an object.
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
 * Checks the content of one file.
 *
 * @throws {ConfigProblem} `Malformed`, one line per field, without its value.
 */
export async function checkedFile(content: unknown, source: string): Promise<KubeconfigFile> {
  // With the schema comes zod; configurations that need no file never load either.
  const { parseKubeconfigFile } = await import("./kubeconfig-schema.js");
  const result = parseKubeconfigFile(content);
  if ("problems" in result) {
    throw new ConfigProblem("Malformed", `${source}: ${result.problems.join(", ")}`);
  }
  return result.file;
}
