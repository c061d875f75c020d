import { assertOptions } from "@typekube/core/internal";
import type { JsonObject } from "@typekube/core/internal/json";
import { conversionManifest } from "./conversion-manifest.js";
import {
  type AnyDefinitionOptions,
  type OtherVersion,
  otherVersion,
  type ScalePathOptions,
  scalePathOptions,
} from "./definition-options.js";
import { type VersionSchema, versionSchema } from "./version-schema.js";

/** The names of a kind, complete. */
export interface CompleteNames {
  readonly plural: string;
  readonly singular: string;
  readonly listKind: string;
}

/** A version of a definition that is being built. */
export interface BuiltVersion extends VersionSchema {
  readonly name: string;
  readonly options: Omit<OtherVersion, "name">;
}

/** Builds the schemas of all versions, the one that the definition describes first. */
export function buildVersions(options: AnyDefinitionOptions): readonly BuiltVersion[] {
  const { versions = [] } = options;
  const isStoredElsewhere = versions.some(({ storage }) => storage === true);
  const own = { ...options, storage: options.storage ?? !isStoredElsewhere };
  return [
    { name: options.version, options: own, ...versionSchema(own, options) },
    ...versions.map((version) => {
      assertOptions("a version of defineResource()", version, otherVersion);
      return { name: version.name, options: version, ...versionSchema(version, options) };
    }),
  ];
}

/** Builds the CustomResourceDefinition. Its keys have a fixed order, so that equal definitions give equal text. */
export function definitionManifest(
  options: AnyDefinitionOptions,
  { plural, singular, listKind }: CompleteNames,
  versions: readonly BuiltVersion[],
): JsonObject {
  const { group, kind, scope = "Namespaced", annotations, labels, conversion } = options;
  const { shortNames = [], categories = [] } = options;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: `${plural}.${group}`,
      ...(labels === undefined ? {} : { labels: { ...labels } }),
      ...(annotations === undefined ? {} : { annotations: { ...annotations } }),
    },
    spec: {
      group,
      scope,
      names: {
        kind,
        listKind,
        plural,
        singular,
        ...(shortNames.length === 0 ? {} : { shortNames: [...shortNames] }),
        ...(categories.length === 0 ? {} : { categories: [...categories] }),
      },
      ...(conversion === undefined ? {} : { conversion: conversionManifest(conversion) }),
      versions: versions.map(versionManifest),
    },
  };
}

function versionManifest({ name, options, schema }: BuiltVersion): JsonObject {
  const {
    served = true,
    storage = false,
    deprecated,
    columns,
    selectable,
    scale,
    status,
  } = options;
  const hasStatus = status !== undefined || hasStatusProperty(options.schema);
  const subresources = {
    ...(hasStatus ? { status: {} } : {}),
    ...(scale === undefined ? {} : { scale: scalePaths(scale) }),
  };
  return {
    name,
    served,
    storage,
    ...(deprecated === undefined || deprecated === false ? {} : { deprecated: true }),
    ...(typeof deprecated === "string" ? { deprecationWarning: deprecated } : {}),
    schema: { openAPIV3Schema: schema },
    ...(Object.keys(subresources).length === 0 ? {} : { subresources }),
    ...(columns === undefined
      ? {}
      : {
          additionalPrinterColumns: columns.map(
            ({ name: title, type, format, description, priority, jsonPath }) => ({
              name: title,
              type,
              ...(format === undefined ? {} : { format }),
              ...(description === undefined ? {} : { description }),
              ...(priority === undefined ? {} : { priority }),
              jsonPath,
            }),
          ),
        }),
    ...(selectable === undefined
      ? {}
      : { selectableFields: selectable.map((jsonPath) => ({ jsonPath })) }),
  };
}

/** A raw schema with a status has the subresource: without it, controllers could not report separately from users. */
function hasStatusProperty(schema: object | undefined): boolean {
  const { properties } = (schema ?? {}) as { readonly properties?: object };
  return properties !== undefined && Object.hasOwn(properties, "status");
}

function scalePaths(scale: ScalePathOptions | true): JsonObject {
  const given = scale === true ? {} : scale;
  assertOptions("scale of defineResource()", given, scalePathOptions);
  const { specReplicasPath = ".spec.replicas", statusReplicasPath = ".status.replicas" } = given;
  const { labelSelectorPath } = given;
  return {
    specReplicasPath,
    statusReplicasPath,
    ...(labelSelectorPath === undefined ? {} : { labelSelectorPath }),
  };
}
