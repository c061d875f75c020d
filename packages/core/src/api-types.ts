// The few API types that the core itself speaks of.
export type { KubeObject } from "@typekube/api";
export type { ListMeta, ManagedFieldsEntry } from "@typekube/api/meta/v1";
