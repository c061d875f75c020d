// kubeconfig files

export type {
  Kubeconfig,
  KubeconfigAuthProvider,
  KubeconfigCluster,
  KubeconfigContext,
  KubeconfigEntry,
  KubeconfigExec,
  KubeconfigUser,
  LoadKubeconfigOptions,
} from "@typekube/config";
export { isEmptyKubeconfig, loadKubeconfig } from "@typekube/config";
export type { KubeconfigDraft, SetNamespaceOptions } from "@typekube/config/write";
export { modifyKubeconfig, setContext, setNamespace } from "@typekube/config/write";

// What a connection is made of

export type { ConfigProblemKind, ConnectionConfig, ConnectionOptions } from "@typekube/config";
export { anonymous, ConfigProblem, hasConfigProblem, resolveConfig } from "@typekube/config";
export type { Credentials, Impersonation, Transport, TransportOptions } from "@typekube/transport";
export { createTransport, reveal, Secret } from "@typekube/transport";
