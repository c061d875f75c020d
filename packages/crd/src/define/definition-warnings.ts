import { Buffer } from "node:buffer";
import { stringifyJson } from "@typekube/core/internal";
import { getPath, type JsonObject, jsonEqual } from "@typekube/core/internal/json";
import {
  definitionWarnings,
  escapeFieldName,
  readStructuralSchema,
  type StructuralSchema,
} from "@typekube/schema";
import type { BuiltVersion } from "./definition-manifest.js";

/** Bytes that an object may have in etcd, by its default. */
const maxObjectBytes = 1_500_000;
/** Bytes that all annotations may have together; `kubectl apply` keeps the whole definition in one. */
const maxAnnotationBytes = 256 * 1024;

/** Returns what servers accept, but is hardly meant. */
export function warningsOf(
  manifest: JsonObject,
  versions: readonly BuiltVersion[],
  hasConverters: boolean,
): readonly string[] {
  return [
    ...definitionWarnings(manifest, undefined),
    ...versions.flatMap(({ schema }) => unreachableFields(readStructuralSchema(schema), "")),
    ...versions.flatMap(requiredStatus),
    ...(hasConverters || isConverted(manifest) ? [] : lostFields(versions)),
    ...sizeWarnings(manifest),
  ];
}

function unreachableFields(schema: StructuralSchema, path: string): string[] {
  const { properties, items, additionalProperties } = schema;
  return [
    ...[...properties].flatMap(([name, property]) => {
      const at = path === "" ? name : `${path}.${name}`;
      return [
        ...(escapeFieldName(name) === undefined
          ? [`${at}: rules in CEL cannot reach this name`]
          : []),
        ...unreachableFields(property, at),
      ];
    }),
    ...(items === undefined ? [] : unreachableFields(items, `${path}[]`)),
    ...(typeof additionalProperties === "object"
      ? unreachableFields(additionalProperties, `${path}[*]`)
      : []),
  ];
}

function requiredStatus({ schema }: BuiltVersion): string[] {
  const required = readStructuralSchema(schema).properties.get("status")?.required ?? [];
  return required.length === 0
    ? []
    : [
        `status: ${required.join(", ")} must be part of the first status that a controller writes, since a server validates statuses, too`,
      ];
}

function isConverted(manifest: JsonObject): boolean {
  const strategy = getPath(manifest, "spec", "conversion", "strategy") ?? "None";
  return strategy !== "None";
}

function lostFields(versions: readonly BuiltVersion[]): string[] {
  const [first, ...more] = versions;
  return more
    .filter(({ schema }) => !jsonEqual(shapeOf(schema), shapeOf(first?.schema)))
    .map(
      ({ name }) =>
        `versions: ${first?.name} and ${name} have different schemas, but objects are not converted: fields that one of them lacks are lost`,
    );
}

/** Returns the names and types of a schema's fields. */
function shapeOf(schema: JsonObject | undefined): unknown {
  const { properties, type, items, additionalProperties } = readStructuralSchema(schema ?? {});
  return {
    type,
    properties: Object.fromEntries(
      [...properties].map(([name, { source }]) => [name, shapeOf(source)]),
    ),
    items: items === undefined ? null : shapeOf(items.source),
    values: typeof additionalProperties === "object" ? shapeOf(additionalProperties.source) : null,
  };
}

function sizeWarnings(manifest: JsonObject): string[] {
  const bytes = Buffer.byteLength(stringifyJson(manifest));
  const advice = 'descriptions: "short" or "none" makes it smaller';
  return bytes > maxObjectBytes
    ? [`the definition has ${bytes} bytes, more than etcd stores (${maxObjectBytes}): ${advice}`]
    : bytes > maxAnnotationBytes
      ? [
          `the definition has ${bytes} bytes, too many for the annotation of kubectl apply (${maxAnnotationBytes}): use server-side apply, or ${advice}`,
        ]
      : [];
}
