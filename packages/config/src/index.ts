// Connecting

export type { ConnectionConfig, ConnectionOptions } from "./connection/connection-options.js";
export { resolveConfig } from "./resolve-config.js";

// Credentials, impersonation and restrictions on kubeconfigs

export { anonymous } from "./connection/anonymous.js";
export type { Impersonation } from "./connection/impersonation-from-user.js";
export type { AllowedCommand, ExecCommand, ExecPolicy } from "./exec/exec-policy.js";
export type { ExecStdin } from "./exec/is-interactive.js";
export type { FileReferences } from "./kubeconfig/file-references.js";

// Kubeconfig files and their problems

export type { Environment } from "./environment/environment.js";
export type { ConfigProblemKind } from "./errors/config-problem.js";
export { ConfigProblem, hasConfigProblem } from "./errors/config-problem.js";
export { type ExportKubeconfigOptions, exportKubeconfig } from "./kubeconfig/export-kubeconfig.js";
export type {
  Kubeconfig,
  KubeconfigAuthProvider,
  KubeconfigCluster,
  KubeconfigContext,
  KubeconfigEntry,
  KubeconfigExec,
  KubeconfigUser,
} from "./kubeconfig/kubeconfig.js";
export { isEmptyKubeconfig } from "./kubeconfig/kubeconfig.js";
export { loadKubeconfig } from "./kubeconfig/load-kubeconfig.js";
export type { LoadKubeconfigOptions } from "./kubeconfig/load-kubeconfig-options.js";
export {
  type KubeconfigContent,
  type ParseKubeconfigOptions,
  parseKubeconfig,
} from "./kubeconfig/parse-kubeconfig.js";
export { type SelectedContext, selectContext } from "./kubeconfig/select-context.js";
