import { type Clock, flag, type OptionTable, object, text } from "@typekube/core/internal";
import type { Credentials, Pem, Secret, TlsOptions, TransportOptions } from "@typekube/transport";
import { type ExecPolicy, isExecPolicy } from "../exec/exec-policy.js";
import type { ExecStdin } from "../exec/is-interactive.js";
import { type FileReferences, isFileReferences } from "../kubeconfig/file-references.js";
import type { Kubeconfig } from "../kubeconfig/kubeconfig.js";
import {
  type LoadKubeconfigOptions,
  loadKubeconfigOptions,
} from "../kubeconfig/load-kubeconfig-options.js";
import type { KubeconfigContent } from "../kubeconfig/parse-kubeconfig.js";
import { abortSignal, clock, key, pem, proxyUrl, secret, url, wait } from "./connection-checks.js";
import type { Impersonation } from "./impersonation-from-user.js";

/**
 * Server, credentials and settings of a connection. Each option given here overrides the corresponding kubeconfig
 * field. With `server` but without `kubeconfig`, `context` or `inCluster`, no kubeconfig is read: only credentials
 * given here are sent.
 */
export interface ConnectionOptions extends Omit<LoadKubeconfigOptions, "path"> {
  /** URL of the API server. A path in the URL is kept in front of every request path. */
  readonly server?: string | undefined;
  /** Certificate authorities that may have signed the server's certificate, as PEM. */
  readonly ca?: Pem | undefined;
  /** Client certificate as PEM; requires `key`. */
  readonly cert?: Pem | undefined;
  /** Private key of the client certificate, as PEM; requires `cert`. */
  readonly key?: Pem | Secret | undefined;
  /**
   * Name that the server's certificate must be valid for. Default: the cluster's `tls-server-name` unless `server` is
   * given, else the host of the URL.
   */
  readonly serverName?: string | undefined;
  /** Accepts any certificate of the server; for experiments only. Default: the kubeconfig's setting, else false. */
  readonly insecureSkipVerify?: boolean | undefined;
  /** Bearer token. Cannot be combined with `username`. */
  readonly token?: Secret | string | undefined;
  /** File that contains a bearer token. It is read again about once a minute. */
  readonly tokenFile?: string | undefined;
  /** User for basic authentication, which only gateways in front of a server still use. */
  readonly username?: string | undefined;
  /** Password of `username`. Default: empty. */
  readonly password?: Secret | string | undefined;
  /**
   * Connects without credentials: none are read from a kubeconfig or a pod, no exec plugin runs, and nobody is
   * impersonated. Default false.
   */
  readonly anonymous?: boolean | undefined;
  /**
   * User to impersonate in every request; the credentials must be allowed to do so. Default: the kubeconfig's `as`
   * fields.
   */
  readonly impersonate?: Impersonation | undefined;
  /**
   * Exec plugins of a kubeconfig that may run: `all` (default, as in kubectl: the author of the kubeconfig decides what
   * runs), `none`, a list of names and absolute paths, or a function. A listed plugin is refused when the kubeconfig
   * sets environment variables for it, unless the entry allows them: `{ command: "aws", env: ["AWS_PROFILE"] }`.
   */
  readonly execPlugins?: ExecPolicy | undefined;
  /**
   * Files that a kubeconfig may reference for certificates, keys and tokens: `all` (default, as in kubectl), `none`, or
   * only those below a list of folders. The contents of these files are sent to the kubeconfig's server.
   */
  readonly fileReferences?: FileReferences | undefined;
  /** Cancels reading the configuration. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout for reading the configuration, in milliseconds. Default: no limit for the whole, 30 seconds for each file. */
  readonly timeoutMs?: number | undefined;
  /**
   * Timeout for each run of an exec plugin, in milliseconds. Default 300,000, since some wait for a person to log in; 0
   * is no limit.
   */
  readonly execPluginTimeoutMs?: number | undefined;
  /** State of standard input for exec plugins. Default: detects whether it is a terminal. */
  readonly stdin?: ExecStdin | undefined;
  /**
   * URL of an http, https or socks5 proxy, or `false` for no proxy. Default: the cluster's `proxy-url`, else the
   * environment variables `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`.
   */
  readonly proxy?: Secret | string | false | undefined;
  /** Clock for timeouts and for the expiry of credentials. Default: the system clock. */
  readonly clock?: Clock | undefined;
  /**
   * Namespace for namespaced calls that do not specify one. Default: the context's, else the pod's own inside a pod,
   * else `default`. Also accepts `ns/shop`, as kubectl does.
   */
  readonly namespace?: string | undefined;
  /**
   * The kubeconfig: a path, its content as text (YAML or JSON) or as an object, or a loaded kubeconfig. A string is a
   * path if it is one line that contains no `: ` and does not begin with `{` or `[`. Default: the files that the
   * environment variable `KUBECONFIG` lists, else `~/.kube/config`.
   */
  readonly kubeconfig?: Kubeconfig | KubeconfigContent | string | undefined;
  /** Context of the kubeconfig to use. Default: the current context. */
  readonly context?: string | undefined;
  /**
   * `true` uses the pod's service account and reads no kubeconfig; `false` never uses the service account. Default:
   * uses it when there is no kubeconfig.
   */
  readonly inCluster?: boolean | undefined;
  /** Folder with the service account's files; for tests. */
  readonly serviceAccountDir?: string | undefined;
}

/** Names and checks of {@link ConnectionOptions}. A kubeconfig has many forms, and its parser checks them. */
export const connectionOptions: OptionTable<ConnectionOptions> = {
  anonymous: flag,
  ca: pem,
  cert: pem,
  clock,
  context: text,
  env: loadKubeconfigOptions.env,
  execPlugins: {
    mustBe:
      '"all", "none", a function or a list of commands: "name" or { command, env: "all" or [names], args: [strings] }',
    isValid: isExecPolicy,
  },
  execPluginTimeoutMs: wait,
  fileReferences: {
    mustBe: '"all", "none" or a list of folders, each a non-empty string',
    isValid: isFileReferences,
  },
  homeDir: loadKubeconfigOptions.homeDir,
  impersonate: { ...object, mustBe: "an object: { user, uid, groups, extra }" },
  inCluster: flag,
  insecureSkipVerify: flag,
  key,
  kubeconfig: true,
  namespace: text,
  password: secret,
  proxy: proxyUrl,
  server: url,
  serverName: text,
  serviceAccountDir: text,
  signal: abortSignal,
  stdin: { ...object, mustBe: "an object: { isTerminal, unavailable }" },
  timeoutMs: wait,
  token: secret,
  tokenFile: text,
  username: text,
};

/** A resolved connection that can be passed to `createTransport` directly. Secrets in it are redacted in logs and JSON. */
export interface ConnectionConfig {
  readonly server: string;
  readonly tls: TlsOptions;
  /** Files that `tls` was read from. The transport reloads them when they change. */
  readonly tlsFiles?: NonNullable<TransportOptions["tlsFiles"]>;
  readonly auth?: Credentials;
  readonly impersonate?: Impersonation;
  /** URL of the proxy. It may contain a password. */
  readonly proxy?: Secret;
  readonly disableCompression?: boolean;
  /** Namespace for namespaced calls that do not specify one. */
  readonly namespace: string;
  /** Name of the kubeconfig context, when a kubeconfig was used. */
  readonly contextName?: string;
}
