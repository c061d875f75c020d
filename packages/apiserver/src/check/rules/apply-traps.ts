import { isJsonObject, type JsonObject } from "@typekube/core/internal";
import type { SchemaNode } from "../../schema/schema-node.js";
import { metadataOf } from "../items/check-item.js";
import type { RawFinding } from "../items/raw-finding.js";
import { pathBelow } from "../text/field-path.js";

/** Fields of the metadata that a server sets. */
const serverFields = [
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "managedFields",
  "selfLink",
];

/** Returns the fields of a manifest that make a server-side apply fail, conflict or do less than it seems. */
export function applyTraps(object: JsonObject, schema: SchemaNode): RawFinding[] {
  const metadata = metadataOf(object);
  const { status } = object;
  const hasStatus = schema.form === "struct" && schema.field("status") !== undefined;
  const found: RawFinding[] = [];
  for (const field of serverFields) {
    if (metadata[field] !== undefined && metadata[field] !== null) {
      found.push(serverField(`metadata.${field}`, why[field] ?? "the server sets it"));
    }
  }
  if (hasStatus && isJsonObject(status) && Object.keys(status).length > 0) {
    found.push(serverField("status", "writes of the object ignore it"));
  }
  addNulls(object, undefined, found);
  addMissingKeys(object, schema, undefined, found);
  return found;
}

/** A value and its place; the text of the path is only needed for a finding. */
interface Below {
  readonly parent: Below | undefined;
  readonly step: number | string;
}

function textOf(path: Below | undefined): string {
  if (path === undefined) {
    return "";
  }
  const { parent, step } = path;
  return typeof step === "number" ? `${textOf(parent)}[${step}]` : pathBelow(textOf(parent), step);
}

const why: Readonly<Record<string, string>> = {
  managedFields: "a server-side apply rejects it",
  resourceVersion: "an apply fails as soon as the object has changed",
  uid: "an apply fails when the object was recreated",
};

function serverField(field: string, because: string): RawFinding {
  return {
    rule: "server-field",
    field,
    message: `${field} does not belong in a manifest: ${because}`,
  };
}

function addNulls(value: object, path: Below | undefined, found: RawFinding[]): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      if (typeof item === "object" && item !== null) {
        addNulls(item, { parent: path, step: index }, found);
      }
    }
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    if (typeof item !== "object") {
      continue;
    }
    const below = { parent: path, step: key };
    if (item === null) {
      const field = textOf(below);
      const message = `${field} is null, which sets and removes nothing`;
      found.push({ rule: "zero-value", field, message });
    } else if (path === undefined && key === "status" && isEmptyObject(item)) {
      const message = "status is empty, which sets nothing";
      found.push({ rule: "zero-value", field: "status", message });
    } else {
      addNulls(item, below, found);
    }
  }
}

function isEmptyObject(value: object): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** Finds entries of lists without the keys by which an apply merges them. Keys with a default may be missing. */
function addMissingKeys(
  value: unknown,
  node: SchemaNode,
  path: Below | undefined,
  found: RawFinding[],
): void {
  if (node.form === "list" && Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const below = { parent: path, step: index };
      if (typeof item === "object" && item !== null) {
        addMissingKeys(item, node.items, below, found);
      }
      if (node.type === "map" && isJsonObject(item) && node.items.form === "struct") {
        for (const key of node.keys) {
          if (item[key] === undefined && !isDefaulted(node.items, key)) {
            const field = textOf(below);
            const message = `${field} lacks ${key}, by which an apply merges the list`;
            found.push({ rule: "apply-list-key", field, message });
          }
        }
      }
    }
  } else if (node.form === "map" && isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      if (typeof item === "object" && item !== null) {
        addMissingKeys(item, node.values, { parent: path, step: key }, found);
      }
    }
  } else if (node.form === "struct" && isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      const field = typeof item === "object" && item !== null ? node.field(key) : undefined;
      if (field !== undefined) {
        addMissingKeys(item, field.node, { parent: path, step: key }, found);
      }
    }
  }
}

function isDefaulted(node: SchemaNode & { readonly form: "struct" }, key: string): boolean {
  return node.field(key)?.schema.default !== undefined || defaulted.has(key);
}

/** Keys that servers fill in by code: `protocol` of ports, `ip` of addresses. */
const defaulted = new Set(["protocol"]);
