// Connecting

export type { ConnectionConfig, ConnectionOptions } from "./connection-options.js";
export { resolveConfig } from "./resolve-config.js";

// Credentials, impersonation and restrictions on kubeconfigs

export { anonymous } from "./anonymous.js";
export type { AllowedCommand, ExecCommand, ExecPolicy } from "./exec/exec-policy.js";
export type { ExecStdin } from "./exec/is-interactive.js";
export type { FileReferences } from "./file-references.js";
export type { Impersonation } from "./impersonation-from-user.js";

// Kubeconfig files and their problems

export type { ConfigProblemKind } from "./config-problem.js";
export { ConfigProblem, hasConfigProblem } from "./config-problem.js";
export { type ExportKubeconfigOptions, exportKubeconfig } from "./export-kubeconfig.js";
export type {
  Kubeconfig,
  KubeconfigAuthProvider,
  KubeconfigCluster,
  KubeconfigContext,
  KubeconfigEntry,
  KubeconfigExec,
  KubeconfigUser,
} from "./kubeconfig.js";
export { isEmptyKubeconfig } from "./kubeconfig.js";
export type { Environment, LoadKubeconfigOptions } from "./load-kubeconfig.js";
export { loadKubeconfig } from "./load-kubeconfig.js";
export {
  type KubeconfigContent,
  type ParseKubeconfigOptions,
  parseKubeconfig,
} from "./parse-kubeconfig.js";
export { type SelectedContext, selectContext } from "./select-context.js";
