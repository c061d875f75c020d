export type {
  KubeList,
  KubeObject,
  Lifecycle,
  Live,
  ResourceDescriptor,
  Scope,
  SubresourceDescriptor,
  SubresourceDescriptors,
  Verb,
} from "./descriptor.js";
export type { BuiltInKinds } from "./generated/kind-map.js";
