import { isAbsolute, join, resolve } from "node:path";
import type {
  Kubeconfig,
  KubeconfigCluster,
  KubeconfigContext,
  KubeconfigEntry,
  KubeconfigUser,
} from "./kubeconfig.js";
import type { KubeconfigFile, NamedItem } from "./kubeconfig-schema.js";
import { redactCluster } from "./redact-cluster.js";
import { redactUser } from "./redact-user.js";

/** Merges kubeconfig files as kubectl does: of entries with the same name, the first file's entry is used as a whole. */
export class MergedKubeconfig {
  readonly #files: string[] = [];
  readonly #clusters = new Map<string, KubeconfigEntry<KubeconfigCluster>>();
  readonly #contexts = new Map<string, KubeconfigEntry<KubeconfigContext>>();
  readonly #users = new Map<string, KubeconfigEntry<KubeconfigUser>>();
  #currentContext: string | undefined;

  /** @param folder - folder against which relative paths in the file are resolved. */
  add(path: string, file: KubeconfigFile, folder: string): void {
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
  // Without a path separator, the command is a name to look up in PATH.
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
