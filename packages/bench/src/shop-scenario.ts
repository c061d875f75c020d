import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import type { Scenario } from "@typekube/apiserver/testing";
import { Deployment } from "typekube/api/apps/v1";
import { ConfigMap, Service } from "typekube/api/core/v1";
import { defineController } from "typekube/controller";

interface Shop extends KubeObject {
  spec: { image: string };
  status?: { url?: string };
}

const Shop: ResourceDescriptor<Shop> = {
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

const definition = {
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
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: { type: "object", properties: { image: { type: "string" } } },
              status: { type: "object", properties: { url: { type: "string" } } },
            },
          },
        },
      },
    ],
  },
};

const shops = defineController(Shop, {
  owns: [Deployment, Service, ConfigMap],
  async reconcile({ metadata, spec }, run) {
    const { name } = metadata;
    const labels = { app: name };
    await run.apply(ConfigMap, { metadata: { name }, data: { greeting: "hello" } });
    await run.apply(Service, {
      metadata: { name },
      spec: { selector: labels, ports: [{ port: 80 }] },
    });
    await run.apply(Deployment, {
      metadata: { name },
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: "shop", image: spec.image }] },
        },
      },
    });
    return { status: { url: `https://${name}.example.com` } };
  },
});

/** A custom resource with three children, and its operator. */
export const shopScenario: Scenario = {
  name: "shop",
  load: [definition],
  operator: () => shops,
  steps: {
    "create a shop": (client) =>
      client
        .resource(Shop, "default")
        .create({ metadata: { name: "tea" }, spec: { image: "tea:1" } }),
  },
};
