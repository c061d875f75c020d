/** Supported versions of the exec credential API. */
export const execApiVersions = [
  "client.authentication.k8s.io/v1",
  "client.authentication.k8s.io/v1beta1",
] as const;

/** Use of the terminal's input by a plugin: required, only when it is available, or never. */
export type ExecInteractiveMode = "Always" | "IfAvailable" | "Never";

/** A program that prints credentials, from a validated kubeconfig. */
export interface ExecPlugin {
  readonly apiVersion: (typeof execApiVersions)[number];
  /** Program name to look up in PATH, or an absolute path. */
  readonly command: string;
  readonly args: readonly string[];
  /** Variables added to the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  readonly interactiveMode: ExecInteractiveMode;
  readonly provideClusterInfo: boolean;
  /** Instructions for installing the program when it is missing. */
  readonly installHint?: string | undefined;
}

/** The cluster that a plugin provides credentials for, as in `KUBERNETES_EXEC_INFO`. */
export interface ExecCluster {
  readonly server: string;
  readonly "tls-server-name"?: string;
  readonly "insecure-skip-tls-verify"?: boolean;
  /** PEM as base64, also when the kubeconfig references a file. */
  readonly "certificate-authority-data"?: string;
  readonly "proxy-url"?: string;
  readonly "disable-compression"?: boolean;
  /** Content of the cluster's extension `client.authentication.k8s.io/exec`. */
  readonly config?: unknown;
}
