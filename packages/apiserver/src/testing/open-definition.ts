import type { ResourceDescriptor } from "@typekube/api";
import type { Controller } from "@typekube/controller";

/** Returns a definition that accepts every object of a kind, for tests that have no manifest of it. */
export function openDefinition({
  group,
  version,
  kind,
  plural,
  singular,
  scope,
  subresources,
}: ResourceDescriptor): object {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { kind, plural, singular, listKind: `${kind}List` },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: "status" in subresources ? { status: {} } : {},
          schema: {
            openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
          },
        },
      ],
    },
  };
}

/** Returns the descriptors of the kinds that a controller names. */
export function descriptorsOf({ kind, owns, watches, reads }: Controller): ResourceDescriptor[] {
  return [kind, ...owns, ...watches.map((watch) => watch.kind), ...reads].flatMap((one) =>
    "plural" in one.kind ? [one.kind] : [],
  );
}
