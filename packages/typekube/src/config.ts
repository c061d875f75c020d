/**
 * kubeconfig files, and the parts of a connection.
 *
 * @module typekube/config
 */

// kubeconfig files

export type {
  ExportKubeconfigOptions,
  Kubeconfig,
  KubeconfigAuthProvider,
  KubeconfigCluster,
  KubeconfigContent,
  KubeconfigContext,
  KubeconfigEntry,
  KubeconfigExec,
  KubeconfigUser,
  LoadKubeconfigOptions,
  ParseKubeconfigOptions,
  SelectedContext,
} from "@typekube/config";
export {
  exportKubeconfig,
  isEmptyKubeconfig,
  loadKubeconfig,
  parseKubeconfig,
  selectContext,
} from "@typekube/config";
export type { KubeconfigDraft, SetNamespaceOptions } from "@typekube/config/write";
export { modifyKubeconfig, setContext, setNamespace } from "@typekube/config/write";

// Parts of a connection

export type {
  ConfigProblemKind,
  ConnectionConfig,
  ConnectionOptions,
  FileReferences,
} from "@typekube/config";
export { anonymous, ConfigProblem, hasConfigProblem, resolveConfig } from "@typekube/config";
export type { Credentials, Impersonation, Transport, TransportOptions } from "@typekube/transport";
export { createTransport, reveal, Secret } from "@typekube/transport";
