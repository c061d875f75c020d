// The API types that the client speaks of.
export type {
  KubeList,
  KubeObject,
  Live,
  ResourceDescriptor,
  SubresourceDescriptor,
  SubresourceDescriptors,
  Verb,
} from "@typekube/api";
export type { ListMeta, ObjectMeta } from "@typekube/api/meta/v1";
