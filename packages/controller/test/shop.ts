import type { KubeObject, ResourceDescriptor, SubresourceDescriptor, Verb } from "@typekube/api";
import type { Condition } from "@typekube/api/meta/v1";

/** The custom resource of the tests. */
export interface Shop extends KubeObject {
  spec?: { image?: string; host?: string; credentials?: string; replicas?: number };
  status?: { url?: string; ready?: number; observedGeneration?: number; conditions?: Condition[] };
}

type Sub = { status: SubresourceDescriptor<Shop, "get" | "patch" | "update"> };

export const Shop: ResourceDescriptor<Shop, "Namespaced", Verb, Sub> = {
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

/** The definition of Shop. */
export const shopDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "shops.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "shops", singular: "shop", kind: "Shop", listKind: "ShopList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
              status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
            },
          },
        },
      },
    ],
  },
};
