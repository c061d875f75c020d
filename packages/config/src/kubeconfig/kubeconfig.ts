/** Unknown fields are preserved. */
interface Open {
  readonly [field: string]: unknown;
}

/** A cluster of a kubeconfig file. Absent fields may also be null, as in YAML. */
export interface KubeconfigCluster extends Open {
  /** URL of the API server. */
  readonly server?: string | null | undefined;
  /** Name that the server's certificate must be valid for. Default: the host of `server`. */
  readonly "tls-server-name"?: string | null | undefined;
  /** Accepts any certificate of the server. */
  readonly "insecure-skip-tls-verify"?: boolean | null | undefined;
  /** Path of a PEM file; absolute once loaded. */
  readonly "certificate-authority"?: string | null | undefined;
  /** PEM as base64. */
  readonly "certificate-authority-data"?: string | null | undefined;
  /** URL of an http, https or socks5 proxy. */
  readonly "proxy-url"?: string | null | undefined;
  /** Requests responses without gzip compression. */
  readonly "disable-compression"?: boolean | null | undefined;
}

/** A user of a kubeconfig file. In logs and JSON, secrets are replaced by `[redacted]`. */
export interface KubeconfigUser extends Open {
  /** Path of a PEM file; absolute once loaded. */
  readonly "client-certificate"?: string | null | undefined;
  /** PEM as base64. */
  readonly "client-certificate-data"?: string | null | undefined;
  /** Path of a PEM file; absolute once loaded. */
  readonly "client-key"?: string | null | undefined;
  /** PEM as base64. */
  readonly "client-key-data"?: string | null | undefined;
  /** Bearer token. */
  readonly token?: string | null | undefined;
  /** Path of a file with a bearer token; absolute once loaded. */
  readonly tokenFile?: string | null | undefined;
  readonly username?: string | null | undefined;
  readonly password?: string | null | undefined;
  /** User to impersonate. */
  readonly as?: string | null | undefined;
  /** UID to impersonate. */
  readonly "as-uid"?: string | null | undefined;
  /** Groups to impersonate. */
  readonly "as-groups"?: readonly string[] | null | undefined;
  /** Extra attributes to impersonate, each with its values. */
  readonly "as-user-extra"?:
    | Readonly<Record<string, readonly string[] | null | undefined>>
    | null
    | undefined;
  /** Exec plugin that prints credentials. */
  readonly exec?: KubeconfigExec | null | undefined;
  /** Login method that is built into the client; TypeKube supports `oidc`. */
  readonly "auth-provider"?: KubeconfigAuthProvider | null | undefined;
}

/** An exec plugin: a program that prints credentials. */
export interface KubeconfigExec extends Open {
  /** Version of the `ExecCredential` that the plugin prints: `client.authentication.k8s.io/v1` or `v1beta1`. */
  readonly apiVersion?: string | null | undefined;
  /** Absolute once loaded when it contains a path separator; otherwise looked up in PATH. */
  readonly command?: string | null | undefined;
  /** Arguments of the program. */
  readonly args?: readonly string[] | null | undefined;
  /** Environment variables for the program, in addition to those of this process. */
  readonly env?:
    | readonly { readonly name: string; readonly value?: string | null | undefined }[]
    | null
    | undefined;
  /** Instructions for installing the program when it is missing. */
  readonly installHint?: string | null | undefined;
  /** Passes the cluster to the program in `KUBERNETES_EXEC_INFO`. */
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
  /** Name of a cluster entry. */
  readonly cluster?: string | null | undefined;
  /** Name of a user entry. */
  readonly user?: string | null | undefined;
  /** Default namespace. */
  readonly namespace?: string | null | undefined;
}

/** An entry and the file it came from. Relative paths are resolved against the folder of that file. */
export interface KubeconfigEntry<T> {
  /** Name of the entry. */
  readonly name: string;
  /** Path of the file that contains the entry. */
  readonly file: string;
  /** Content of the entry. */
  readonly value: T;
}

/** The merged content of all kubeconfig files. */
export interface Kubeconfig {
  /** Files that were read, in order. */
  readonly files: readonly string[];
  /** Named files that do not exist; kubectl skips them too. */
  readonly missingFiles: readonly string[];
  /** Name of the current context; `undefined` when no file sets one. */
  readonly currentContext: string | undefined;
  /** Clusters by name. */
  readonly clusters: ReadonlyMap<string, KubeconfigEntry<KubeconfigCluster>>;
  /** Contexts by name. */
  readonly contexts: ReadonlyMap<string, KubeconfigEntry<KubeconfigContext>>;
  /** Users by name. */
  readonly users: ReadonlyMap<string, KubeconfigEntry<KubeconfigUser>>;
}

/** Returns true when the files contain no entries and no current context. */
export function isEmptyKubeconfig(kubeconfig: Kubeconfig): boolean {
  const { clusters, contexts, users, currentContext } = kubeconfig;
  return clusters.size + contexts.size + users.size === 0 && !currentContext;
}
