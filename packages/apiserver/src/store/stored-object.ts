import { isJsonObject, type JsonObject, setOwn } from "./json-value.js";

/** One entry of `metadata.managedFields`. */
export interface ManagedFieldsEntry extends JsonObject {
  manager?: string;
  operation?: string;
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: JsonObject;
  subresource?: string;
}

/** The metadata that the server itself looks at. */
export interface ObjectMetadata extends JsonObject {
  name?: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: unknown[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
}

/** An object of the API. What is in the store is never changed, only replaced. */
export interface ApiObject extends JsonObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMetadata;
}

const topOrder = ["kind", "apiVersion", "metadata"];
const metadataOrder = [
  "name",
  "generateName",
  "namespace",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "labels",
  "annotations",
  "ownerReferences",
  "finalizers",
  "managedFields",
];

/** A copy with the keys in the order in which real servers write them. Empty metadata maps and lists go. */
export function normalized(object: JsonObject): ApiObject {
  const metadata = isJsonObject(object["metadata"]) ? object["metadata"] : {};
  const ordered = inOrder(object, topOrder);
  ordered["metadata"] = inOrder(metadata, metadataOrder, isEmpty);
  return ordered as ApiObject;
}

function inOrder(
  object: JsonObject,
  first: readonly string[],
  drop: (value: unknown, key: string) => boolean = (value) => value === undefined,
): JsonObject {
  const ordered: JsonObject = {};
  for (const key of first) {
    if (Object.hasOwn(object, key) && !drop(object[key], key)) {
      ordered[key] = object[key];
    }
  }
  for (const key of Object.keys(object)) {
    if (!Object.hasOwn(ordered, key) && !drop(object[key], key)) {
      setOwn(ordered, key, object[key]);
    }
  }
  return ordered;
}

function isEmpty(value: unknown, key: string): boolean {
  // An empty list of owners says something: forget them.
  if (key === "managedFields") {
    return value === undefined;
  }
  if (value === undefined || value === null || value === "") {
    return true;
  }
  return typeof value === "object" && Object.keys(value).length === 0;
}
