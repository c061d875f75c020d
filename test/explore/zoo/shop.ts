import type { KubeObject, ResourceDescriptor, SubresourceDescriptor, Verb } from "@typekube/api";
import { type Client, mergePatch } from "typekube";

/** The custom resource of the operators here. Its schema allows everything. */
export interface Shop extends KubeObject {
  spec?: { replicas?: number; image?: string; host?: string; [more: string]: unknown };
  status?: { phase?: string; [more: string]: unknown };
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

/** The definition of shops, to load. */
export const shopDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "shops.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { kind: "Shop", plural: "shops", singular: "shop", listKind: "ShopList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        },
      },
    ],
  },
};

/** Returns the shops of the namespace in which everything happens. */
export const shopsOf = (client: Client) => client.resource(Shop, "default");

/** Returns a step that creates a shop. */
export const createShop =
  (name: string, spec: Shop["spec"] = {}) =>
  (client: Client) =>
    shopsOf(client).create({ metadata: { name }, spec });

/** Returns a step that changes the spec of a shop. */
export const changeShop =
  (name: string, spec: Shop["spec"] = {}) =>
  (client: Client) =>
    shopsOf(client).patch(name, mergePatch({ spec }));

/** Returns a step that deletes a shop. */
export const deleteShop = (name: string) => (client: Client) => shopsOf(client).delete(name);
