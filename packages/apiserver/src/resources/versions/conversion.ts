import { dropNulls, fillDefaults, pruneObject } from "@typekube/schema";
import { failure, StatusError } from "../../errors/status-errors.js";
import { type ApiObject, normalized } from "../../objects/api-object.js";
import { isJsonObject, type JsonObject, jsonEqual, omitKeys } from "../../objects/json-value.js";
import { PendingCall } from "../../time/pending-call.js";
import type { DefinedVersion, Definition } from "../definition.js";
import { Unreadable } from "./unreadable.js";

/**
 * Returns an object in a version. Stored objects may have any version of the definition, and may stem from older
 * schemas.
 */
export function viewOf(object: ApiObject, version: DefinedVersion): ApiObject {
  const { definition } = version;
  let views = definition.views.get(object);
  if (views === undefined) {
    views = new Map();
    definition.views.set(object, views);
  }
  const known = views.get(version.name);
  if (known !== undefined) {
    return known === "itself" ? object : known;
  }
  const view = readingStored([object], () => readStored(object, version));
  views.set(version.name, view === object ? "itself" : view);
  return view;
}

/** Reports a failed conversion as unreadable stored objects. */
function readingStored<T>(objects: readonly ApiObject[], read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof PendingCall)) {
      throw error;
    }
    throw new PendingCall(() => error.prepare().catch(unreadable(objects)));
  }
}

function unreadable(objects: readonly ApiObject[]) {
  return (error: unknown): never => {
    throw error instanceof StatusError
      ? new Unreadable(objects, error.status.message ?? "")
      : error;
  };
}

function readStored(object: ApiObject, version: DefinedVersion): ApiObject {
  const current = asStored(object, version.definition);
  const view = convertTo(current, version);
  return jsonEqual(view, object) ? object : normalized(view);
}

/** Returns a stored object in terms of the current schema: without unknown fields, with defaults. */
function asStored(object: ApiObject, definition: Definition): ApiObject {
  const { schema } = storedVersion(object, definition);
  const pruned = dropNulls(pruneObject(object, schema).object, schema);
  return fillDefaults(pruned, schema) as ApiObject;
}

/** Converts an object to the storage version. */
export function toStorage(object: ApiObject, definition: Definition): ApiObject {
  const version = definition.versions.get(definition.storageVersion);
  return version === undefined ? object : convertTo(object, version);
}

/**
 * Converts an object of a request to a version.
 *
 * @throws {PendingCall} when a webhook or function must convert it first.
 */
export function convertTo(object: ApiObject, version: DefinedVersion): ApiObject {
  const { definition, apiVersion, schema } = version;
  if (object.apiVersion === apiVersion) {
    return object;
  }
  const { now } = definition.converter;
  const converted = now?.(object, apiVersion) ?? known(object, version);
  if (converted === undefined) {
    throw new PendingCall(() => convertAll([object], version));
  }
  const pruned = pruneObject(withMetadata(converted, object), schema).object;
  return dropNulls(pruned, schema) as ApiObject;
}

function storedVersion(object: ApiObject, definition: Definition): DefinedVersion {
  const name = object.apiVersion.slice(object.apiVersion.indexOf("/") + 1);
  const version = definition.versions.get(name);
  if (version === undefined) {
    throw failure(
      500,
      undefined,
      `request to convert CR from an invalid group/version: ${object.apiVersion}`,
    );
  }
  return version;
}

/** Converts, in one webhook call, all objects that have no cached view in a version. */
export async function prepareViews(
  objects: readonly ApiObject[],
  version: DefinedVersion,
): Promise<void> {
  const { definition, apiVersion } = version;
  if (definition.converter.now !== undefined) {
    return;
  }
  const missing = objects
    .filter((object) => definition.views.get(object)?.has(version.name) !== true)
    .map((object) => asStored(object, definition))
    .filter((object) => object.apiVersion !== apiVersion && known(object, version) === undefined);
  if (missing.length > 0) {
    await convertAll(missing, version).catch(unreadable(missing));
  }
}

/** Conversion results by definition: requested in advance, and looked up by the step that needs them. */
const outcomes = new WeakMap<Definition, Map<string, JsonObject>>();
/** Maximum number of conversion results per definition. */
const maxOutcomes = 5_000;

function known(object: ApiObject, version: DefinedVersion): JsonObject | undefined {
  return outcomes.get(version.definition)?.get(keyOf(object, version));
}

async function convertAll(objects: readonly ApiObject[], version: DefinedVersion): Promise<void> {
  const { definition, apiVersion } = version;
  const requested = `conversion webhook for ${objects[0]?.apiVersion ?? ""}, Kind=${definition.kind}`;
  const converted = await definition.converter
    .convert(objects, apiVersion)
    .catch((error: unknown) => {
      throw failure(500, undefined, `${requested} failed: ${(error as Error).message}`);
    });
  if (converted.length !== objects.length) {
    const why = `returned ${converted.length} objects, expected ${objects.length}`;
    throw failure(500, undefined, `${requested} ${why}`);
  }
  let remembered = outcomes.get(definition);
  if (remembered === undefined || remembered.size + objects.length > maxOutcomes) {
    remembered = new Map();
    outcomes.set(definition, remembered);
  }
  for (const [at, object] of objects.entries()) {
    const outcome = converted[at];
    const mistake = mistakeOf(object, outcome, apiVersion);
    if (mistake !== undefined) {
      throw failure(500, undefined, `${requested} returned invalid ${mistake}`);
    }
    remembered.set(keyOf(object, version), outcome as JsonObject);
  }
}

/** Returns the cache key of a conversion: excludes metadata that a conversion must not change. */
function keyOf(object: ApiObject, { name }: DefinedVersion): string {
  const { name: objectName, namespace, labels, annotations } = object.metadata;
  const relevant = { ...object, metadata: { objectName, namespace, labels, annotations } };
  return `${name} ${JSON.stringify(relevant, (_key, value: unknown) =>
    typeof value === "bigint" ? `${value}n` : value,
  )}`;
}

function mistakeOf(
  { kind, metadata }: ApiObject,
  outcome: JsonObject | undefined,
  apiVersion: string,
): string | undefined {
  const given = isJsonObject(outcome?.["metadata"]) ? outcome["metadata"] : undefined;
  if (outcome?.["apiVersion"] !== apiVersion) {
    return `object at index 0: invalid groupVersion (expected ${apiVersion}, received ${String(outcome?.["apiVersion"] ?? "")})`;
  }
  if (outcome["kind"] !== kind) {
    return `object at index 0: invalid kind (expected ${kind}, received ${String(outcome["kind"] ?? "")})`;
  }
  for (const key of ["name", "namespace", "uid"]) {
    if ((given?.[key] ?? "") !== (metadata[key] ?? "")) {
      const shown = key === "uid" ? "UID" : key;
      return `object: must have the same ${shown}: ${String(metadata[key] ?? "")} != ${String(given?.[key] ?? "")}`;
    }
  }
  return given === undefined ? "metadata: missing metadata in converted object" : undefined;
}

/** Restores the original metadata after a conversion, which may change only labels and annotations. */
function withMetadata(converted: JsonObject, { metadata }: ApiObject): JsonObject {
  const given = isJsonObject(converted["metadata"]) ? converted["metadata"] : {};
  const kept = omitKeys(metadata, "labels", "annotations");
  for (const key of ["labels", "annotations"]) {
    if (isJsonObject(given[key])) {
      kept[key] = given[key];
    }
  }
  return { ...converted, metadata: kept };
}
