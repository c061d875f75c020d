import { ConfigProblem, configError } from "../errors/config-problem.js";
import type { LoadKubeconfigOptions } from "../kubeconfig/load-kubeconfig-options.js";
import { namespaceName } from "../kubeconfig/namespace-name.js";
import { modifyKubeconfig } from "./modify-kubeconfig.js";

/**
 * Sets the current context, as `kubectl config use-context` does.
 *
 * @throws {KubeError} `Config` when the context does not exist, and as {@link modifyKubeconfig}.
 */
export async function setContext(name: string, options: LoadKubeconfigOptions = {}): Promise<void> {
  await modifyKubeconfig((draft) => {
    if (!draft.contexts.has(name)) {
      throw missing(name, draft.contexts.keys());
    }
    draft.currentContext = name;
  }, options);
}

/** Options of {@link setNamespace}. */
export interface SetNamespaceOptions extends LoadKubeconfigOptions {
  /** Context to change. Default: the current context. */
  readonly context?: string | undefined;
}

/**
 * Sets the namespace of a context, as `kubectl config set-context --current --namespace` does.
 *
 * @param namespace - name of the namespace, with or without `ns/` in front.
 * @throws {KubeError} `Config` when the context does not exist, and as {@link modifyKubeconfig}.
 */
export async function setNamespace(
  namespace: string,
  options: SetNamespaceOptions = {},
): Promise<void> {
  const { context, ...where } = options;
  await modifyKubeconfig((draft) => {
    const name = context ?? draft.currentContext ?? "";
    const found = draft.contexts.get(name);
    if (!found) {
      throw missing(name, draft.contexts.keys());
    }
    draft.contexts.set(name, { ...found, namespace: namespaceName(namespace) });
  }, where);
}

function missing(name: string, names: Iterable<string>): Error {
  const known = [...names].map((other) => `"${other}"`).join(", ") || "none";
  const text = name === "" ? "no current-context is set" : `the context "${name}" does not exist`;
  return configError([new ConfigProblem("ContextMissing", `${text}; known contexts: ${known}`)]);
}
