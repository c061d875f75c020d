import { stringifyJson } from "@typekube/core/internal";
import type { Write } from "../../context/write.js";
import type { ApiObject } from "../../objects/api-object.js";
import { isJsonObject, type JsonObject, omitKeys, setOwn } from "../../objects/json-value.js";
import { compare, fieldsOf } from "../managed-fields/compare.js";
import { difference, type FieldSet } from "../managed-fields/field-set.js";
import { tracked } from "../managed-fields/tracked.js";
import { annotationsFit } from "../validate/metadata.js";
import { typedProblems } from "./typed-problems.js";

const annotation = "kubectl.kubernetes.io/last-applied-configuration";

/** The only field manager whose applies migrate ownership from `kubectl apply` without `--server-side`. */
export const migratingManager = "kubectl";

/**
 * Returns the fields that `kubectl apply` set last and that still have those values: an apply by `kubectl` may take
 * them from any manager. Returns undefined without a readable annotation. (managedfields `lastAppliedManager`)
 */
export function lastAppliedFields(
  { request, schema }: Write,
  live: ApiObject,
): FieldSet | undefined {
  const { resource, subresource } = request;
  const last = parsed(live.metadata.annotations?.[annotation]);
  if (
    last === undefined ||
    last["apiVersion"] !== resource.descriptor.apiVersion ||
    typedProblems(last, schema).length > 0
  ) {
    return undefined;
  }
  const applied = tracked(last, resource, subresource);
  const since = compare(applied, tracked(live, resource, subresource), schema);
  return [since.modified, since.added, since.removed].reduce(difference, fieldsOf(applied, schema));
}

/**
 * Updates the annotation with the configuration that `kubectl` applied; removes it when the annotations would become
 * too large. Objects without the annotation don't get one. (managedfields `lastAppliedUpdater`)
 */
export function withLastApplied(object: ApiObject, document: unknown): ApiObject {
  const { annotations = {} } = object.metadata;
  if (!annotations[annotation] || !isJsonObject(document)) {
    return object;
  }
  const renewed = { ...annotations, [annotation]: configurationText(document) };
  const fitting = annotationsFit(renewed) ? renewed : omitKeys(renewed, annotation);
  const metadata = { ...object.metadata, annotations: fitting as Record<string, string> };
  return { ...object, metadata };
}

function parsed(text: string | undefined): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Encodes a configuration like Go, without the annotation itself. */
function configurationText(document: JsonObject): string {
  const { metadata } = document;
  const annotations = isJsonObject(metadata) ? metadata["annotations"] : undefined;
  const shown = isJsonObject(annotations)
    ? {
        ...document,
        metadata: { ...(metadata as JsonObject), annotations: omitKeys(annotations, annotation) },
      }
    : document;
  const json = stringifyJson(sorted(shown));
  // Go's encoder escapes characters that are special in HTML or JavaScript, and appends a line feed.
  return `${json.replace(/[<>&\u2028\u2029]/g, (rune) => `\\u${rune.charCodeAt(0).toString(16).padStart(4, "0")}`)}\n`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const ordered: JsonObject = {};
  for (const key of Object.keys(value).sort()) {
    setOwn(ordered, key, sorted(value[key]));
  }
  return ordered;
}
