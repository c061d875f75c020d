import { toYaml } from "@typekube/core";
import type { JsonObject } from "@typekube/core/internal";
import type { KindSource } from "../source/kind-source.js";

/** Path of the file with the definitions of all generated kinds. */
export const definitionsPath = "definitions.yaml";

/** Servers demand this of definitions in groups of Kubernetes; the value says that the definition was written by a program. */
const approval = { "api-approved.kubernetes.io": "unapproved, written by typekube generate" };

/**
 * Returns a CustomResourceDefinition for each kind as YAML, so that the folder is a source of schemas for checks, for servers and for
 * later comparisons. Kinds that come from OpenAPI documents have no definition and are left out.
 */
export function definitionsFile(kinds: readonly KindSource[], header: string): string {
  const texts = [...byDefinition(kinds)].map(([name, sources]) =>
    toYaml(definitionOf(name, sources)),
  );
  return `${header}${texts.join("---\n")}`;
}

/** Returns the versions of each definition, by its name. */
export function byDefinition(
  kinds: readonly KindSource[],
): ReadonlyMap<string, readonly KindSource[]> {
  const found = new Map<string, KindSource[]>();
  for (const kind of kinds) {
    if (kind.components === undefined) {
      const name = `${kind.plural}.${kind.group}`;
      found.set(name, [...(found.get(name) ?? []), kind]);
    }
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function definitionOf(name: string, sources: readonly KindSource[]): JsonObject {
  const [first] = sources as readonly [KindSource, ...KindSource[]];
  const { group, kind, listKind, plural, singular, shortNames, categories, scope } = first;
  // Which version is stored does not show in the types; objects of all versions are valid as they are.
  const stored = sources.find(({ served }) => served) ?? first;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name,
      ...(/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group) ? { annotations: approval } : {}),
    },
    spec: {
      group,
      scope,
      names: {
        kind,
        listKind,
        plural,
        singular,
        ...(shortNames.length === 0 ? {} : { shortNames }),
        ...(categories.length === 0 ? {} : { categories }),
      },
      versions: sources.map((source) => versionOf(source, source === stored)),
    },
  };
}

function versionOf(source: KindSource, storage: boolean): JsonObject {
  const { version, served, schema, deprecation, columns, selectableFields, scale } = source;
  const hasStatus = source.subresources["status"] !== undefined;
  return {
    name: version,
    served,
    storage,
    ...(deprecation === undefined ? {} : { deprecated: true, deprecationWarning: deprecation }),
    schema: { openAPIV3Schema: schema },
    ...(hasStatus || scale !== undefined
      ? { subresources: { ...(hasStatus ? { status: {} } : {}), ...(scale ? { scale } : {}) } }
      : {}),
    ...(columns.length === 0 ? {} : { additionalPrinterColumns: columns }),
    ...(selectableFields.length === 0
      ? {}
      : { selectableFields: selectableFields.map((jsonPath) => ({ jsonPath })) }),
  };
}
