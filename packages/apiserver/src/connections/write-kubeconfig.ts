/** What the entries of a kubeconfig are called. */
export interface KubeconfigTarget {
  /** The name of cluster, user and context. Default `typekube`. */
  readonly name?: string | undefined;
  /** The namespace of the context. Default `default`. */
  readonly namespace?: string | undefined;
}

/** Writes cluster, user and context into a kubeconfig, which is created with mode 0600 (except on Windows) where it is missing. */
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
