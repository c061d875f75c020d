// The only API types that the core uses.
export type { KubeObject } from "@typekube/api";
export type { ListMeta, ManagedFieldsEntry } from "@typekube/api/meta/v1";
