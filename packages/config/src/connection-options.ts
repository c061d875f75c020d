import type { Credentials, Pem, Secret, TlsOptions } from "@typekube/transport";
import type { Kubeconfig } from "./kubeconfig.js";
import type { LoadKubeconfigOptions } from "./load-kubeconfig.js";

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
  /** Default: the context's, inside a pod its own, else `default`. */
  readonly namespace?: string | undefined;
  /** A kubeconfig file, or a loaded one. Default: `KUBECONFIG`, then `~/.kube/config`. */
  readonly kubeconfig?: Kubeconfig | string | undefined;
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
  readonly auth?: Credentials;
  readonly disableCompression?: boolean;
  /** Where namespaced calls go that name no namespace. */
  readonly namespace: string;
  /** The context of the kubeconfig that was used, if one was. */
  readonly contextName?: string;
}
