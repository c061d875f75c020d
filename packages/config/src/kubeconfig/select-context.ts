import { ConfigProblem, configError } from "../errors/config-problem.js";
import type {
  Kubeconfig,
  KubeconfigCluster,
  KubeconfigContext,
  KubeconfigEntry,
  KubeconfigUser,
} from "./kubeconfig.js";

/** A context with its cluster and user. */
export interface SelectedContext {
  readonly context: KubeconfigEntry<KubeconfigContext>;
  /** `undefined` when the context names none, or one that does not exist. */
  readonly cluster: KubeconfigEntry<KubeconfigCluster> | undefined;
  /** `undefined` when the context names none, or one that does not exist. */
  readonly user: KubeconfigEntry<KubeconfigUser> | undefined;
}

/**
 * Returns a context of a kubeconfig with its cluster and user.
 *
 * @param name - name of the context. Default: the current context.
 * @throws {KubeError} `Config` when the context does not exist, listing those that do.
 *
 * @example
 * ```ts
 * const { context, cluster, user } = selectContext(await loadKubeconfig());
 * console.log(context.name, cluster?.value.server, user?.name);
 * ```
 */
export function selectContext(kubeconfig: Kubeconfig, name?: string): SelectedContext {
  const wanted = name ?? kubeconfig.currentContext;
  if (!wanted) {
    throw configError([missingContext("no current-context is set", kubeconfig)]);
  }
  const context = kubeconfig.contexts.get(wanted);
  if (!context) {
    throw configError([missingContext(`the context "${wanted}" does not exist`, kubeconfig)]);
  }
  return {
    context,
    cluster: kubeconfig.clusters.get(context.value.cluster ?? ""),
    user: kubeconfig.users.get(context.value.user ?? ""),
  };
}

function missingContext(text: string, { contexts, files }: Kubeconfig): ConfigProblem {
  const names = [...contexts.keys()].map((name) => `"${name}"`).join(", ") || "none";
  return new ConfigProblem("ContextMissing", `${text}; ${files.join(", ")} has: ${names}`);
}
