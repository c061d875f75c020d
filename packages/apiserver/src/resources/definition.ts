import {
  listOf,
  readStructuralSchema,
  type ScalePaths,
  type StructuralSchema,
  versionsOf,
} from "@typekube/schema";
import type { ApiObject } from "../objects/api-object.js";
import { getPath, isJsonObject, type JsonObject, jsonEqual } from "../objects/json-value.js";
import type { Converter } from "./converter.js";
import { compareVersions } from "./version-priority.js";

export { listOf, versionsOf };

/** Storage name of custom resource definitions. */
export const definitionStorage = "customresourcedefinitions.apiextensions.k8s.io";

/** A custom resource definition, parsed once for each of its states. */
export interface Definition {
  /** Name of the definition, such as `widgets.example.com`. */
  readonly name: string;
  readonly group: string;
  readonly kind: string;
  /** All versions, served or not, by name. */
  readonly versions: ReadonlyMap<string, DefinedVersion>;
  /** Version in which objects are stored. */
  readonly storageVersion: string;
  readonly converter: Converter;
  /** `true` while the definition is being deleted; no objects can be created then. */
  readonly terminating: boolean;
  /** Cache of objects in other versions; "itself" where an object needs no change, since a value that is its key would keep it. */
  readonly views: WeakMap<ApiObject, Map<string, ApiObject | "itself">>;
}

/** One version of a custom resource. */
export interface DefinedVersion {
  readonly definition: Definition;
  readonly name: string;
  /** Such as `example.com/v1`. */
  readonly apiVersion: string;
  readonly served: boolean;
  /** Schema of the objects; also published through OpenAPI. */
  readonly schema: StructuralSchema;
  readonly hasStatus: boolean;
  readonly scale: ScalePaths | undefined;
  /** Field paths for selectors, such as `spec.color`. */
  readonly selectableFields: readonly string[];
  /** Warning for requests to a deprecated version. */
  readonly deprecation: string | undefined;
  /** The version as written in the definition. */
  readonly source: JsonObject;
}

/** Parses a valid definition. */
export function readDefinition(object: ApiObject, converter: Converter): Definition {
  const group = String(getPath(object, "spec", "group"));
  const kind = String(getPath(object, "spec", "names", "kind"));
  const sources = versionsOf(object);
  const versions = new Map<string, DefinedVersion>();
  const definition: Definition = {
    name: object.metadata.name ?? "",
    group,
    kind,
    versions,
    storageVersion: String(sources.find(({ storage }) => storage === true)?.["name"] ?? ""),
    converter,
    terminating: object.metadata.deletionTimestamp !== undefined,
    views: new WeakMap(),
  };
  for (const source of sources) {
    const name = String(source["name"]);
    versions.set(name, {
      definition,
      name,
      apiVersion: `${group}/${name}`,
      served: source["served"] === true,
      schema: schemaOf(source, versions),
      hasStatus: isJsonObject(getPath(source, "subresources", "status")),
      scale: scaleOf(getPath(source, "subresources", "scale")),
      selectableFields: listOf(source["selectableFields"]).map(({ jsonPath }) =>
        String(jsonPath).replace(/^\./, ""),
      ),
      deprecation: deprecationOf(source, `${group}/${name} ${kind}`, sources, group),
      source,
    });
  }
  return definition;
}

/** Reads the schema of a version; versions with equal schemas share one, and what is compiled from it. */
function schemaOf(
  version: JsonObject,
  others: ReadonlyMap<string, DefinedVersion>,
): StructuralSchema {
  const source = getPath(version, "schema", "openAPIV3Schema");
  const given = isJsonObject(source) ? source : {};
  const equal = [...others.values()].find(({ schema }) => jsonEqual(schema.source, given));
  return equal?.schema ?? readStructuralSchema(given);
}

/** Returns the keys of a path such as `.spec.replicas`. */
export function simplePath(path: string): string[] {
  return path.replace(/^\./, "").split(".");
}

function scaleOf(scale: unknown): ScalePaths | undefined {
  if (!isJsonObject(scale)) {
    return undefined;
  }
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  return {
    specReplicas: simplePath(String(specReplicasPath)),
    statusReplicas: simplePath(String(statusReplicasPath)),
    labelSelector:
      typeof labelSelectorPath === "string" && labelSelectorPath !== ""
        ? simplePath(labelSelectorPath)
        : undefined,
  };
}

function deprecationOf(
  source: JsonObject,
  what: string,
  versions: readonly JsonObject[],
  group: string,
): string | undefined {
  if (source["deprecated"] !== true) {
    return undefined;
  }
  if (typeof source["deprecationWarning"] === "string") {
    return source["deprecationWarning"];
  }
  const own = String(source["name"]);
  const [better] = versions
    .filter((one) => one["served"] === true && one["deprecated"] !== true)
    .map(({ name }) => String(name))
    .filter((name) => compareVersions(name, own) < 0)
    .sort(compareVersions);
  const advice = better === undefined ? "" : `; use ${group}/${better} ${what.split(" ")[1] ?? ""}`;
  return `${what} is deprecated${advice}`;
}
