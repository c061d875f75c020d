// Changing kubeconfig files: a door of its own, so that programs that only connect do not carry it

export type { KubeconfigDraft } from "./kubeconfig-draft.js";
export { modifyKubeconfig } from "./modify-kubeconfig.js";
export { type SetNamespaceOptions, setContext, setNamespace } from "./set-context.js";
