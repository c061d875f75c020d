// The few API types that the core itself speaks of.
export type { KubeList, KubeObject, Live, ResourceDescriptor } from "@typekube/api";
export type { ListMeta, ObjectMeta } from "@typekube/api/meta/v1";
