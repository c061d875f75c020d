// Changing kubeconfig files: a separate entry point, so that programs that only connect do not load it

export type { KubeconfigDraft } from "./kubeconfig-draft.js";
export { modifyKubeconfig } from "./modify-kubeconfig.js";
export { type SetNamespaceOptions, setContext, setNamespace } from "./set-context.js";
