import type { Verb } from "@typekube/api";
import { isJsonObject, type JsonObject, stringsOf } from "@typekube/core/internal";
import { checkSchema } from "./check-schema.js";
import type { ColumnSource, KindSource, ScaleSource, SubresourceSource } from "./kind-source.js";
import { upgradeDefinitionSpec } from "./upgrade-definition.js";

/** The kinds of one definition, and sentences about what is wrong with it. */
export interface DefinitionRead {
  readonly sources: readonly KindSource[];
  readonly problems: readonly string[];
}

/** Returns whether an object is a CustomResourceDefinition of a known version. */
export function isDefinition({
  apiVersion,
  kind,
}: {
  apiVersion?: unknown;
  kind?: unknown;
}): boolean {
  return (
    kind === "CustomResourceDefinition" &&
    (apiVersion === "apiextensions.k8s.io/v1" || apiVersion === "apiextensions.k8s.io/v1beta1")
  );
}

/** Reads the kinds of a CustomResourceDefinition, one for each version. A version with a problem is left out. */
export function readDefinition(definition: JsonObject, origin: string): DefinitionRead {
  const given = objectOf(definition["spec"]);
  const isOld = definition["apiVersion"] === "apiextensions.k8s.io/v1beta1";
  const spec = isOld ? upgradeDefinitionSpec(given) : given;
  const names = objectOf(spec["names"]);
  const wrong = wrongNames(spec, names);
  if (wrong !== undefined) {
    return { sources: [], problems: [wrong] };
  }
  const versions = Array.isArray(spec["versions"]) ? spec["versions"].filter(isJsonObject) : [];
  const sources: KindSource[] = [];
  const problems: string[] = versions.length === 0 ? ["spec.versions has no versions"] : [];
  for (const version of versions) {
    const found = readVersion(spec, version, origin);
    if (typeof found === "string") {
      problems.push(found);
    } else {
      sources.push(found);
    }
  }
  return { sources, problems };
}

const label = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Returns a sentence about a name that no server accepts. Names are parts of paths and identifiers. */
function wrongNames(spec: JsonObject, names: JsonObject): string | undefined {
  const { group } = spec;
  if (typeof group !== "string" || !subdomain.test(group)) {
    return `spec.group ${shown(group)} is not a DNS subdomain`;
  }
  for (const name of ["kind", "plural"] as const) {
    const value = names[name];
    if (typeof value !== "string" || !label.test(name === "kind" ? value.toLowerCase() : value)) {
      return `spec.names.${name} ${shown(value)} is not a DNS label`;
    }
  }
  return undefined;
}

/** Returns one version, or a sentence about what is wrong with it. */
function readVersion(spec: JsonObject, entry: JsonObject, origin: string): KindSource | string {
  const names = objectOf(spec["names"]);
  const kind = String(names["kind"]);
  const { name: version } = entry;
  if (typeof version !== "string" || !label.test(version)) {
    return `${kind}: the name of the version ${shown(version)} is not a DNS label`;
  }
  const group = String(spec["group"]);
  const keepsUnknown = spec["preserveUnknownFields"] === true;
  const given = objectOf(entry["schema"])["openAPIV3Schema"];
  if (!isJsonObject(given) && !keepsUnknown) {
    return `${kind} ${version} has no schema`;
  }
  const schema: JsonObject = keepsUnknown
    ? { type: "object", ...objectOf(given), "x-kubernetes-preserve-unknown-fields": true }
    : objectOf(given);
  const wrong = checkSchema(schema, keepsUnknown);
  if (wrong !== undefined) {
    return `${kind} ${version} ${wrong}`;
  }
  const { status, scale } = objectOf(entry["subresources"]);
  return {
    group,
    version,
    kind,
    listKind: textOf(names["listKind"], `${kind}List`),
    plural: String(names["plural"]),
    singular: textOf(names["singular"], kind.toLowerCase()),
    shortNames: stringsOf(names["shortNames"]),
    categories: stringsOf(names["categories"]),
    scope: spec["scope"] === "Cluster" ? "Cluster" : "Namespaced",
    verbs: allVerbs,
    subresources: subresourcesOf({ apiVersion: `${group}/${version}`, kind }, status, scale),
    schema,
    deprecation: deprecationOf(entry, `${group}/${version} ${kind}`),
    selectableFields: listOf(entry["selectableFields"]).map((one) => textOf(one["jsonPath"], "")),
    columns: listOf(entry["additionalPrinterColumns"]).map(columnOf),
    scale: isJsonObject(scale) ? scaleOf(scale) : undefined,
    served: entry["served"] !== false,
    origin,
  };
}

/** Verbs of all custom resources. */
export const allVerbs: readonly Verb[] = [
  "create",
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "update",
  "watch",
];

const partVerbs: readonly Verb[] = ["get", "patch", "update"];

function subresourcesOf(
  own: { readonly apiVersion: string; readonly kind: string },
  status: unknown,
  scale: unknown,
): Record<string, SubresourceSource> {
  return {
    ...(isJsonObject(status) ? { status: { ...own, verbs: partVerbs } } : {}),
    ...(isJsonObject(scale)
      ? { scale: { apiVersion: "autoscaling/v1", kind: "Scale", verbs: partVerbs } }
      : {}),
  };
}

/** Returns the warning of a server for a deprecated version. */
function deprecationOf(entry: JsonObject, what: string): string | undefined {
  return entry["deprecated"] === true
    ? textOf(entry["deprecationWarning"], `${what} is deprecated`)
    : undefined;
}

function columnOf(column: JsonObject): ColumnSource {
  const { name, type, jsonPath } = column;
  return { name: textOf(name, ""), type: textOf(type, ""), jsonPath: textOf(jsonPath, "") };
}

function scaleOf(scale: JsonObject): ScaleSource {
  const { labelSelectorPath } = scale;
  return {
    specReplicasPath: textOf(scale["specReplicasPath"], ""),
    statusReplicasPath: textOf(scale["statusReplicasPath"], ""),
    ...(typeof labelSelectorPath === "string" ? { labelSelectorPath } : {}),
  };
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function textOf(value: unknown, otherwise: string): string {
  return typeof value === "string" && value !== "" ? value : otherwise;
}

function shown(value: unknown): string {
  return value === undefined ? "(missing)" : JSON.stringify(String(value));
}
