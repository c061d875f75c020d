/** Names of the kubeconfig entries. */
export interface KubeconfigTarget {
  /** Name of cluster, user and context. Default `typekube`. */
  readonly name?: string | undefined;
  /** Namespace of the context. Default `default`. */
  readonly namespace?: string | undefined;
}

/** Writes cluster, user and context into a kubeconfig. A missing file is created with mode 0600 (except on Windows). */
export async function writeKubeconfig(
  path: string,
  connection: { readonly server: string; readonly token: string; readonly ca?: string },
  { name = "typekube", namespace = "default" }: KubeconfigTarget = {},
): Promise<void> {
  const { server, token, ca } = connection;
  const { modifyKubeconfig } = await import("typekube/config");
  const data = ca && { "certificate-authority-data": Buffer.from(ca, "utf8").toString("base64") };
  await modifyKubeconfig(
    (draft) => {
      draft.clusters.set(name, { server, ...(data ?? {}) });
      draft.users.set(name, { token });
      draft.contexts.set(name, { cluster: name, user: name, namespace });
      draft.currentContext = name;
    },
    { path },
  );
}
