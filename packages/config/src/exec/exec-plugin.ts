/** The versions of the plugins' interface that are spoken. */
export const execApiVersions = [
  "client.authentication.k8s.io/v1",
  "client.authentication.k8s.io/v1beta1",
] as const;

/** Whether a plugin gets the terminal's input: never, when there is a terminal, or it cannot do without. */
export type ExecInteractiveMode = "Always" | "IfAvailable" | "Never";

/** A program that prints credentials, as a checked kubeconfig names it. */
export interface ExecPlugin {
  readonly apiVersion: (typeof execApiVersions)[number];
  /** A name for PATH, or an absolute path. */
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  readonly interactiveMode: ExecInteractiveMode;
  readonly provideClusterInfo: boolean;
  /** What a person can do when the program is not there. */
  readonly installHint?: string | undefined;
}

/** The cluster that a plugin makes credentials for, as `KUBERNETES_EXEC_INFO` writes it. */
export interface ExecCluster {
  readonly server: string;
  readonly "tls-server-name"?: string;
  readonly "insecure-skip-tls-verify"?: boolean;
  /** PEM in base64, also when the kubeconfig names a file. */
  readonly "certificate-authority-data"?: string;
  readonly "proxy-url"?: string;
  readonly "disable-compression"?: boolean;
  /** The cluster's extension `client.authentication.k8s.io/exec`. */
  readonly config?: unknown;
}
