import type { Clock } from "@typekube/core/internal";
import type { Credentials, Pem, Secret, TlsOptions, TransportOptions } from "@typekube/transport";
import type { ExecPolicy } from "./exec/exec-policy.js";
import type { ExecStdin } from "./exec/is-interactive.js";
import type { FileReferences } from "./file-references.js";
import type { Impersonation } from "./impersonation-from-user.js";
import type { Kubeconfig } from "./kubeconfig.js";
import type { LoadKubeconfigOptions } from "./load-kubeconfig.js";
import type { KubeconfigContent } from "./parse-kubeconfig.js";

/**
 * Where to connect and as whom. What is given here counts before the kubeconfig, field by field; a `server` without
 * `kubeconfig`, `context` or `inCluster` stands for itself: nobody's credentials are sent to it but those given.
 */
export interface ConnectionOptions extends Omit<LoadKubeconfigOptions, "path"> {
  /** URL of the API server; a path in it is kept. */
  readonly server?: string | undefined;
  /** Authorities that may have signed the server's certificate: PEM. */
  readonly ca?: Pem | undefined;
  /** Client certificate: PEM, together with `key`. */
  readonly cert?: Pem | undefined;
  readonly key?: Pem | Secret | undefined;
  /** Name that the server's certificate must be for. Default: the host of the URL. */
  readonly serverName?: string | undefined;
  readonly insecureSkipVerify?: boolean | undefined;
  readonly token?: Secret | string | undefined;
  /** File that holds a token and is read again each minute. */
  readonly tokenFile?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: Secret | string | undefined;
  /** As nobody: no credentials of a kubeconfig or a pod are read, run or sent. Default false. */
  readonly anonymous?: boolean | undefined;
  /** Everything is done as this user, whom the credentials must be allowed to impersonate. Default: the kubeconfig's `as`. */
  readonly impersonate?: Impersonation | undefined;
  /**
   * Which exec plugins of a kubeconfig may run: `all` (default, as kubectl: who writes the kubeconfig says what runs),
   * `none`, a list of names and absolute paths, or a function. A kubeconfig that sets environment variables for a listed plugin is
   * refused unless the entry allows them: `{ command: "aws", env: ["AWS_PROFILE"] }`.
   */
  readonly execPlugins?: ExecPolicy | undefined;
  /**
   * Which files a kubeconfig may name for certificates, keys and tokens: `all` (default, as kubectl), `none`, or only those below
   * a list of folders. Their content is sent to the kubeconfig's server.
   */
  readonly fileReferences?: FileReferences | undefined;
  /** Ends the reading of the configuration. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that reading the configuration may take. Default: 30 seconds for each file. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds that an exec plugin may take. Default 300,000: some wait for a person; 0 is no limit. */
  readonly execPluginTimeoutMs?: number | undefined;
  /** What exec plugins may know of standard input. Default: whether it is a terminal. */
  readonly stdin?: ExecStdin | undefined;
  /**
   * URL of an http, https or socks5 proxy, or false for none. Default: the cluster's `proxy-url`, else what `HTTPS_PROXY`, `HTTP_PROXY`
   * and `NO_PROXY` say.
   */
  readonly proxy?: Secret | string | false | undefined;
  /** Default: the machine's. */
  readonly clock?: Clock | undefined;
  /** Default: the context's, inside a pod its own, else `default`. May be written `ns/shop`, as for kubectl. */
  readonly namespace?: string | undefined;
  /**
   * The path of a kubeconfig file, its text (YAML or JSON), its content as an object, or a loaded one. Default: `KUBECONFIG`, then
   * `~/.kube/config`. A string of one line without `: ` is a path.
   */
  readonly kubeconfig?: Kubeconfig | KubeconfigContent | string | undefined;
  /** Default: the current context. */
  readonly context?: string | undefined;
  /** True: as the pod's service account and nothing else. False: never. Default: when there is no kubeconfig. */
  readonly inCluster?: boolean | undefined;
  /** Folder of the service account's files; for tests. */
  readonly serviceAccountDir?: string | undefined;
}

/**
 * A connection, ready for `createTransport`, which takes it as it is. Secrets in it do not show in logs or JSON.
 */
export interface ConnectionConfig {
  readonly server: string;
  readonly tls: TlsOptions;
  /** The files that `tls` came from; the transport follows them. */
  readonly tlsFiles?: NonNullable<TransportOptions["tlsFiles"]>;
  readonly auth?: Credentials;
  readonly impersonate?: Impersonation;
  /** It may hold a password. */
  readonly proxy?: Secret;
  readonly disableCompression?: boolean;
  /** Where namespaced calls go that name no namespace. */
  readonly namespace: string;
  /** The context of the kubeconfig that was used, if one was. */
  readonly contextName?: string;
}
