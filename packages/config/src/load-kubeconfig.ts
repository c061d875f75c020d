import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { ConfigProblem, configError } from "./config-problem.js";
import { assertLoadKubeconfigOptions } from "./known-options.js";
import type {
  Kubeconfig,
  KubeconfigCluster,
  KubeconfigContext,
  KubeconfigEntry,
  KubeconfigUser,
} from "./kubeconfig.js";
import type { KubeconfigFile, NamedItem } from "./kubeconfig-schema.js";
import { parseYaml } from "./parse-yaml.js";
import { readText } from "./read-text.js";
import { redactCluster } from "./redact-cluster.js";
import { redactUser } from "./redact-user.js";

/** Environment variables, as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where kubeconfig files are looked for. */
export interface LoadKubeconfigOptions {
  /** This file and no other; it must be there. */
  readonly path?: string | undefined;
  /** Default `process.env`; `KUBECONFIG` names the files. */
  readonly env?: Environment | undefined;
  /** Default the user's; `.kube/config` in it is read when nothing is named. */
  readonly homeDir?: string | undefined;
}

/**
 * Reads the kubeconfig files as kubectl does: `path`, or the list in `KUBECONFIG`, or `~/.kube/config`. Of entries
 * with the same name the first file's counts, whole. Relative paths belong to the folder of their file.
 *
 * @throws {KubeError} `Config`, with everything that is wrong with any of the files.
 */
export async function loadKubeconfig(options: LoadKubeconfigOptions = {}): Promise<Kubeconfig> {
  assertLoadKubeconfigOptions(options);
  const paths = kubeconfigPaths(options);
  const missingFiles: string[] = [];
  const problems: ConfigProblem[] = [];
  const merged = new MergedKubeconfig();
  for (const path of paths) {
    try {
      const text = await readIfThere(path);
      if (text === undefined) {
        missingFiles.push(path);
      } else {
        merged.add(path, await parseFile(text, path));
      }
    } catch (error) {
      if (!(error instanceof ConfigProblem)) {
        throw error;
      }
      problems.push(error);
    }
  }
  if (options.path !== undefined && missingFiles.length > 0) {
    problems.push(new ConfigProblem("FileMissing", `the kubeconfig file ${paths[0]} is not there`));
  }
  if (problems.length > 0) {
    throw configError(problems);
  }
  return { ...merged.done(), missingFiles };
}

/** The files to read, each once, in order. */
export function kubeconfigPaths(options: LoadKubeconfigOptions): string[] {
  if (options.path !== undefined) {
    return [resolve(options.path)];
  }
  const list = (options.env ?? process.env)["KUBECONFIG"] ?? "";
  const paths = list.split(delimiter).filter((path) => path !== "");
  return paths.length > 0
    ? [...new Set(paths.map((path) => resolve(path)))]
    : [join(options.homeDir ?? homedir(), ".kube", "config")];
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readText(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") {
      return undefined;
    }
    throw new ConfigProblem("Malformed", `the kubeconfig file ${path} cannot be read (${code})`);
  }
}

async function parseFile(text: string, path: string): Promise<KubeconfigFile> {
  const content = await parseYaml(text, path);
  // With the schema comes zod; configurations that need no file never load either.
  const { parseKubeconfigFile } = await import("./kubeconfig-schema.js");
  const result = parseKubeconfigFile(content);
  if ("problems" in result) {
    throw new ConfigProblem("Malformed", `${path}: ${result.problems.join(", ")}`);
  }
  return result.file;
}

/** What the files read so far say together. */
class MergedKubeconfig {
  readonly #files: string[] = [];
  readonly #clusters = new Map<string, KubeconfigEntry<KubeconfigCluster>>();
  readonly #contexts = new Map<string, KubeconfigEntry<KubeconfigContext>>();
  readonly #users = new Map<string, KubeconfigEntry<KubeconfigUser>>();
  #currentContext: string | undefined;

  add(path: string, file: KubeconfigFile): void {
    const folder = dirname(path);
    this.#files.push(path);
    this.#currentContext ??= file.currentContext;
    addNew(this.#clusters, path, file.clusters, (cluster) =>
      redactCluster(resolveFields(cluster, ["certificate-authority"], folder)),
    );
    addNew(this.#contexts, path, file.contexts, (context) => context);
    addNew(this.#users, path, file.users, (user) => redactUser(resolveUser(user, folder)));
  }

  done(): Omit<Kubeconfig, "missingFiles"> {
    return {
      files: this.#files,
      currentContext: this.#currentContext,
      clusters: this.#clusters,
      contexts: this.#contexts,
      users: this.#users,
    };
  }
}

function addNew<T>(
  entries: Map<string, KubeconfigEntry<T>>,
  file: string,
  items: readonly NamedItem<T>[],
  prepare: (value: T) => T,
): void {
  for (const { name, value } of items) {
    if (!entries.has(name)) {
      entries.set(name, { name, file, value: prepare(value) });
    }
  }
}

function resolveUser(user: KubeconfigUser, folder: string): KubeconfigUser {
  const resolved = resolveFields(user, ["client-certificate", "client-key", "tokenFile"], folder);
  const command = user.exec?.command;
  // Without a separator it is a name for PATH.
  return command && /[/\\]/.test(command) && !isAbsolute(command)
    ? { ...resolved, exec: { ...user.exec, command: join(folder, command) } }
    : resolved;
}

function resolveFields<T extends Readonly<Record<string, unknown>>>(
  object: T,
  fields: readonly (keyof T & string)[],
  folder: string,
): T {
  const copy: Record<string, unknown> = { ...object };
  for (const field of fields) {
    const path = copy[field];
    if (typeof path === "string" && path !== "" && !isAbsolute(path)) {
      copy[field] = resolve(folder, path);
    }
  }
  return copy as T;
}
