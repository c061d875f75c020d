import type { KubeObject, ResourceDescriptor, SubresourceDescriptor, Verb } from "@typekube/api";
import type { Condition } from "typekube/api/meta/v1";

/** A web shop: the custom resource of this operator. Its definition is manifests/crd.yaml. */
export interface Shop extends KubeObject {
  spec: {
    /** Image of the shop's server. */
    image: string;
    /** Name under which the shop is reached. */
    host: string;
    replicas?: number;
    /** Name of the Secret with the credentials of its database, in the shop's namespace. */
    credentials?: string;
  };
  status?: { url?: string; readyReplicas?: number; conditions?: Condition[] };
}

type Subresources = { status: SubresourceDescriptor<Shop, "get" | "patch" | "update"> };

export const Shop: ResourceDescriptor<Shop, "Namespaced", Verb, Subresources> = {
  group: "example.com",
  version: "v1",
  apiVersion: "example.com/v1",
  kind: "Shop",
  plural: "shops",
  singular: "shop",
  shortNames: [],
  categories: [],
  scope: "Namespaced",
  verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
  subresources: {
    status: { apiVersion: "example.com/v1", kind: "Shop", verbs: ["get", "patch", "update"] },
  },
  protobuf: false,
};
