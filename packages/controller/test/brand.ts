import type { KubeObject } from "@typekube/api";

/** A custom kind that tests name as `{ apiVersion, kind }`: discovery finds its plural and its scope. */
export const brand = { apiVersion: "example.com/v1", kind: "Brand" } as const;

/** An object of the kind. */
export interface Brand extends KubeObject {
  spec?: { shop?: string };
  status?: { shops?: number };
}

/** Returns the definition of the kind. */
export function brandDefinition(scope: "Cluster" | "Namespaced", plural = "brands") {
  const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true } as const;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: "example.com",
      scope,
      names: { plural, singular: "brand", kind: "Brand", listKind: "BrandList" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: "object", properties: { spec: open, status: open } } },
        },
      ],
    },
  };
}
