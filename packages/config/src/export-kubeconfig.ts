import type { Kubeconfig, KubeconfigEntry } from "./kubeconfig.js";
import { selectContext } from "./select-context.js";

/** Options of {@link exportKubeconfig}. */
export interface ExportKubeconfigOptions {
  /**
   * Whether tokens, passwords, keys and what plugins are given are written. Default false: `[redacted]` stands in their places, and
   * the result cannot be used to connect.
   */
  readonly secrets?: boolean | undefined;
  /** Only this context with its cluster and user, as `kubectl config view --minify`. `true` is the current one. Default: all. */
  readonly context?: string | true | undefined;
}

/**
 * Writes a kubeconfig as YAML, as `kubectl config view` does, with `secrets` as `--raw` does. Paths are absolute.
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
      // JSON of an entry shows no secret, and leaves out what is undefined.
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
