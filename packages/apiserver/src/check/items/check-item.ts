import { isJsonObject, type JsonObject } from "@typekube/core/internal";
import type { CheckedObject } from "../model/finding.js";
import type { SourceDocument } from "../text/source-document.js";

/** One object to check, or a document that holds none. */
export interface CheckItem {
  readonly source: string;
  /** Number of the document in its source, from 1. */
  readonly document: number;
  /** Path of the object in its document: empty, or `items[3]`. */
  readonly path: string;
  /** The document as text; absent for objects of a program. */
  readonly text?: SourceDocument | undefined;
  readonly value: unknown;
}

/** An API object in a manifest: apiVersion and kind are strings. */
export interface ManifestValue extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Returns true for an object with apiVersion and kind. */
export function isManifestValue(value: unknown): value is ManifestValue {
  return isJsonObject(value) && isText(value["apiVersion"]) && isText(value["kind"]);
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

/** Returns the metadata of a manifest, as far as it is a mapping. */
export function metadataOf(value: JsonObject): JsonObject {
  return isJsonObject(value["metadata"]) ? value["metadata"] : {};
}

/** Returns the namespace that a manifest names; empty when it names none. */
export function namespaceOf(value: JsonObject): string {
  const { namespace } = metadataOf(value);
  return typeof namespace === "string" ? namespace : "";
}

/** Returns the identity of a manifest. */
export function checkedObject(value: ManifestValue, namespace: string): CheckedObject {
  const { name, generateName } = metadataOf(value);
  const { apiVersion, kind } = value;
  const shown =
    typeof name === "string" && name !== ""
      ? name
      : typeof generateName === "string" && kind !== "Secret"
        ? `${generateName}*`
        : "";
  return { apiVersion, kind, ...(namespace === "" ? {} : { namespace }), name: shown };
}

/** Returns the group of an object; empty for the core group. */
export function groupOf({ apiVersion }: ManifestValue): string {
  const slash = apiVersion.lastIndexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}

/** Identifies an object of the input. */
export function itemKey({ source, document, path }: CheckItem): string {
  return `${source}\n${document}\n${path}`;
}
