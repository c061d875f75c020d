import { ConfigProblem, configError } from "../config-problem.js";
import type { LoadKubeconfigOptions } from "../load-kubeconfig.js";
import { namespaceName } from "../namespace-name.js";
import { modifyKubeconfig } from "./modify-kubeconfig.js";

/**
 * Makes a context the current one, as `kubectl config use-context`.
 *
 * @throws {KubeError} `Config` when there is no such context, and as {@link modifyKubeconfig}.
 */
export async function setContext(name: string, options: LoadKubeconfigOptions = {}): Promise<void> {
  await modifyKubeconfig((draft) => {
    if (!draft.contexts.has(name)) {
      throw missing(name, draft.contexts.keys());
    }
    draft.currentContext = name;
  }, options);
}

/** Which context {@link setNamespace} is about. */
export interface SetNamespaceOptions extends LoadKubeconfigOptions {
  /** Default: the current one. */
  readonly context?: string | undefined;
}

/**
 * Sets the namespace of a context, as `kubectl config set-context --current --namespace`.
 *
 * @param namespace - with or without `ns/` in front.
 * @throws {KubeError} `Config` when there is no such context, and as {@link modifyKubeconfig}.
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
  return configError([new ConfigProblem("ContextMissing", `${text}; there are: ${known}`)]);
}
