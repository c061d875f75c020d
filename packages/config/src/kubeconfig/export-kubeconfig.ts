import type { Kubeconfig, KubeconfigEntry } from "./kubeconfig.js";
import { selectContext } from "./select-context.js";

/** Options of {@link exportKubeconfig}. */
export interface ExportKubeconfigOptions {
  /**
   * `true` writes tokens, passwords, keys and plugin settings in clear text. Default false: `[redacted]` replaces them,
   * and the result cannot be used to connect.
   */
  readonly secrets?: boolean | undefined;
  /**
   * Exports only this context with its cluster and user, as `kubectl config view --minify` does; `true` is the current
   * context. Default: all contexts.
   */
  readonly context?: string | true | undefined;
}

/**
 * Returns a kubeconfig as YAML, as `kubectl config view` prints it; with `secrets` as `--raw` does. Paths are absolute.
 *
 * @throws {KubeError} `Config` when the context does not exist.
 */
export async function exportKubeconfig(
  kubeconfig: Kubeconfig,
  { secrets = false, context }: ExportKubeconfigOptions = {},
): Promise<string> {
  const selected =
    context === undefined
      ? undefined
      : selectContext(kubeconfig, context === true ? undefined : context);
  const list = <T>(
    entries: ReadonlyMap<string, KubeconfigEntry<T>>,
    key: string,
    only: KubeconfigEntry<T> | undefined,
  ) =>
    (selected ? (only ? [only] : []) : [...entries.values()]).map(({ name, value }) => ({
      name,
      // The JSON of an entry is redacted and omits undefined fields.
      [key]: secrets ? { ...value } : JSON.parse(JSON.stringify(value)),
    }));
  const content = {
    apiVersion: "v1",
    kind: "Config",
    clusters: list(kubeconfig.clusters, "cluster", selected?.cluster),
    contexts: list(kubeconfig.contexts, "context", selected?.context),
    users: list(kubeconfig.users, "user", selected?.user),
    "current-context": selected?.context.name ?? kubeconfig.currentContext ?? "",
  };
  const { dump } = await import("js-yaml");
  return dump(content, { lineWidth: -1, noRefs: true, skipInvalid: true });
}
