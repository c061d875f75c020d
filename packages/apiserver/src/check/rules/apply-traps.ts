import { isJsonObject, type JsonObject } from "@typekube/core/internal";
import type { SchemaNode } from "../../schema/schema-node.js";
import { metadataOf } from "../items/check-item.js";
import { pathBelow } from "../items/field-path.js";
import type { RawFinding } from "../items/raw-finding.js";

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
  return [
    ...serverFields
      .filter((field) => metadata[field] !== undefined && metadata[field] !== null)
      .map((field) => serverField(`metadata.${field}`, why[field] ?? "the server sets it")),
    ...(hasStatus && isJsonObject(status) && Object.keys(status).length > 0
      ? [serverField("status", "writes of the object ignore it")]
      : []),
    ...nulls(object, ""),
    ...missingKeys(object, schema, ""),
  ];
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

function* nulls(value: unknown, path: string): Generator<RawFinding> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield* nulls(item, `${path}[${index}]`);
    }
  } else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      if (typeof item !== "object") {
        continue;
      }
      const field = pathBelow(path, key);
      if (item === null) {
        yield {
          rule: "zero-value",
          field,
          message: `${field} is null, which sets and removes nothing`,
        };
      } else if (field === "status" && isJsonObject(item) && Object.keys(item).length === 0) {
        yield { rule: "zero-value", field, message: "status is empty, which sets nothing" };
      } else {
        yield* nulls(item, field);
      }
    }
  }
}

/** Finds entries of lists without the keys by which an apply merges them. Keys with a default may be missing. */
function* missingKeys(value: unknown, node: SchemaNode, path: string): Generator<RawFinding> {
  if (node.form === "list" && Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield* missingKeys(item, node.items, `${path}[${index}]`);
      if (node.type === "map" && isJsonObject(item) && node.items.form === "struct") {
        for (const key of node.keys) {
          const field = node.items.field(key);
          const isOptional = field?.schema.default !== undefined || defaulted.has(key);
          if (item[key] === undefined && !isOptional) {
            const message = `${path}[${index}] lacks ${key}, by which an apply merges the list`;
            yield { rule: "apply-list-key", field: `${path}[${index}]`, message };
          }
        }
      }
    }
  } else if (node.form === "map" && isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      yield* missingKeys(item, node.values, pathBelow(path, key));
    }
  } else if (node.form === "struct" && isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      const field = typeof item === "object" && item !== null ? node.field(key) : undefined;
      if (field !== undefined) {
        yield* missingKeys(item, field.node, pathBelow(path, key));
      }
    }
  }
}

/** Keys that servers fill in by code: `protocol` of ports, `ip` of addresses. */
const defaulted = new Set(["protocol"]);
