/** Unknown fields are preserved. */
interface Open {
  readonly [field: string]: unknown;
}

/** A cluster of a kubeconfig file. Absent fields may also be null, as in YAML. */
export interface KubeconfigCluster extends Open {
  readonly server?: string | null | undefined;
  readonly "tls-server-name"?: string | null | undefined;
  readonly "insecure-skip-tls-verify"?: boolean | null | undefined;
  /** Path of a PEM file; absolute once loaded. */
  readonly "certificate-authority"?: string | null | undefined;
  /** PEM as base64. */
  readonly "certificate-authority-data"?: string | null | undefined;
  readonly "proxy-url"?: string | null | undefined;
  readonly "disable-compression"?: boolean | null | undefined;
}

/** A user of a kubeconfig file. In logs and JSON, secrets are replaced by `[redacted]`. */
export interface KubeconfigUser extends Open {
  readonly "client-certificate"?: string | null | undefined;
  readonly "client-certificate-data"?: string | null | undefined;
  readonly "client-key"?: string | null | undefined;
  readonly "client-key-data"?: string | null | undefined;
  readonly token?: string | null | undefined;
  readonly tokenFile?: string | null | undefined;
  readonly username?: string | null | undefined;
  readonly password?: string | null | undefined;
  readonly as?: string | null | undefined;
  readonly "as-uid"?: string | null | undefined;
  readonly "as-groups"?: readonly string[] | null | undefined;
  readonly "as-user-extra"?:
    | Readonly<Record<string, readonly string[] | null | undefined>>
    | null
    | undefined;
  readonly exec?: KubeconfigExec | null | undefined;
  readonly "auth-provider"?: KubeconfigAuthProvider | null | undefined;
}

/** An exec plugin: a program that prints credentials. */
export interface KubeconfigExec extends Open {
  readonly apiVersion?: string | null | undefined;
  /** Absolute once loaded when it contains a path separator; otherwise looked up in PATH. */
  readonly command?: string | null | undefined;
  readonly args?: readonly string[] | null | undefined;
  readonly env?:
    | readonly { readonly name: string; readonly value?: string | null | undefined }[]
    | null
    | undefined;
  /** Instructions for installing the program when it is missing. */
  readonly installHint?: string | null | undefined;
  readonly provideClusterInfo?: boolean | null | undefined;
  /** `Never`, `IfAvailable` or `Always`. */
  readonly interactiveMode?: string | null | undefined;
}

/** A login method that is built into the client. */
export interface KubeconfigAuthProvider extends Open {
  readonly name?: string | null | undefined;
  readonly config?: Readonly<Record<string, unknown>> | null | undefined;
}

/** A context of a kubeconfig file: a cluster, a user and a default namespace. */
export interface KubeconfigContext extends Open {
  readonly cluster?: string | null | undefined;
  readonly user?: string | null | undefined;
  readonly namespace?: string | null | undefined;
}

/** An entry and the file it came from. Relative paths are resolved against the folder of that file. */
export interface KubeconfigEntry<T> {
  readonly name: string;
  readonly file: string;
  readonly value: T;
}

/** The merged content of all kubeconfig files. */
export interface Kubeconfig {
  /** Files that were read, in order. */
  readonly files: readonly string[];
  /** Named files that do not exist; kubectl skips them too. */
  readonly missingFiles: readonly string[];
  readonly currentContext: string | undefined;
  readonly clusters: ReadonlyMap<string, KubeconfigEntry<KubeconfigCluster>>;
  readonly contexts: ReadonlyMap<string, KubeconfigEntry<KubeconfigContext>>;
  readonly users: ReadonlyMap<string, KubeconfigEntry<KubeconfigUser>>;
}

/** Returns true when the files contain no entries and no current context. */
export function isEmptyKubeconfig(kubeconfig: Kubeconfig): boolean {
  const { clusters, contexts, users, currentContext } = kubeconfig;
  return clusters.size + contexts.size + users.size === 0 && !currentContext;
}
