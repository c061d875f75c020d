import { isJsonObject, type JsonObject, setOwn } from "./json-value.js";

/** An entry of `metadata.managedFields`. */
export interface ManagedFieldsEntry extends JsonObject {
  manager?: string;
  operation?: string;
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: JsonObject;
  subresource?: string;
}

/** Metadata fields that the server itself uses. */
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

/** An API object. Stored objects are never modified, only replaced. */
export interface ApiObject extends JsonObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMetadata;
}

const topRanks = ranksOf(["kind", "apiVersion", "metadata"]);
const metadataRanks = ranksOf([
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
]);

/**
 * Sorts the keys of an object in the order of real servers and removes empty metadata maps and lists; returns the same
 * object if nothing changes.
 */
export function normalized(object: JsonObject): ApiObject {
  const metadata = isJsonObject(object["metadata"]) ? object["metadata"] : {};
  const ordered = inOrder(object, topRanks);
  const orderedMetadata = inOrder(metadata, metadataRanks, isEmpty);
  return (
    ordered["metadata"] === orderedMetadata ? ordered : { ...ordered, metadata: orderedMetadata }
  ) as ApiObject;
}

function ranksOf(first: readonly string[]): ReadonlyMap<string, number> {
  return new Map(first.map((key, rank) => [key, rank]));
}

function inOrder(
  object: JsonObject,
  ranks: ReadonlyMap<string, number>,
  drop: (value: unknown, key: string) => boolean = (value) => value === undefined,
): JsonObject {
  const keys = Object.keys(object);
  if (areInOrder(keys, ranks) && !keys.some((key) => drop(object[key], key))) {
    return object;
  }
  const ordered: JsonObject = {};
  for (const key of ranks.keys()) {
    if (Object.hasOwn(object, key) && !drop(object[key], key)) {
      ordered[key] = object[key];
    }
  }
  for (const key of keys) {
    if (!ranks.has(key) && !drop(object[key], key)) {
      setOwn(ordered, key, object[key]);
    }
  }
  return ordered;
}

/** Returns the object with another resourceVersion, placed in the key order of real servers. */
export function withVersion(object: ApiObject, revision: bigint): ApiObject {
  const resourceVersion = String(revision);
  const place = rankIn(metadataRanks, "resourceVersion");
  const metadata: ObjectMetadata = {};
  for (const key of Object.keys(object.metadata)) {
    if (metadata.resourceVersion === undefined && rankIn(metadataRanks, key) >= place) {
      metadata.resourceVersion = resourceVersion;
    }
    if (key !== "resourceVersion") {
      setOwn(metadata, key, object.metadata[key]);
    }
  }
  metadata.resourceVersion ??= resourceVersion;
  return normalized({ ...object, metadata });
}

function areInOrder(keys: readonly string[], ranks: ReadonlyMap<string, number>): boolean {
  let last = 0;
  for (const key of keys) {
    const rank = rankIn(ranks, key);
    if (rank < last) {
      return false;
    }
    last = rank;
  }
  return true;
}

/** Returns the rank of a key; unranked keys follow the ranked ones in their original order. */
function rankIn(ranks: ReadonlyMap<string, number>, key: string): number {
  return ranks.get(key) ?? ranks.size;
}

function isEmpty(value: unknown, key: string): boolean {
  // An empty list has a meaning here: it resets field ownership.
  if (key === "managedFields") {
    return value === undefined;
  }
  if (value === undefined || value === null || value === "") {
    return true;
  }
  return typeof value === "object" && Object.keys(value).length === 0;
}
