import type { StatusCause } from "@typekube/core";
import type { Write, Written } from "../../context/write.js";
import { badRequest, failure } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import {
  isJsonObject,
  type JsonObject,
  jsonEqual,
  omitKeys,
  setOwn,
} from "../../objects/json-value.js";
import { timestamp } from "../../objects/timestamp.js";
import { beforeSchema } from "../../request/request-body.js";
import { objectKey } from "../../store/store.js";
import { admit } from "../decode/admit.js";
import { type Comparison, compare, fieldsOf } from "../managed-fields/compare.js";
import {
  difference,
  emptyFieldSet,
  type FieldSet,
  isEmptyFieldSet,
  readFieldsV1,
  union,
} from "../managed-fields/field-set.js";
import { settleBySchema } from "../managed-fields/fields-by-schema.js";
import { beforeFirstApply, withManagers } from "../managed-fields/managed-fields.js";
import {
  conflictsOf,
  disown,
  type FieldConflict,
  forgetOtherGroups,
  type Manager,
  type Managers,
  managerKey,
  readManagers,
} from "../managed-fields/managers.js";
import { tracked } from "../managed-fields/tracked.js";
import { existing } from "../read/read-objects.js";
import { createObject } from "../write/create-object.js";
import { updateObject } from "../write/update-object.js";
import { assertSameName, assertVersion } from "../write/update-preconditions.js";
import { lastAppliedFields, migratingManager, withLastApplied } from "./last-applied.js";
import { mergeTyped, prune, unionOf, withNamedFields, withoutNulled } from "./typed-merge.js";
import { typedProblems } from "./typed-problems.js";

/** Runs a server-side apply: merges the configuration into the object and records its fields as owned by the manager. */
export function applyObject(write: Write, document: unknown): Written {
  const { server, request } = write;
  const { resource, namespace, name } = request;
  const config = readConfig(write, document);
  const live = server.store.collection(resource.storage).get(objectKey(namespace, name));
  if (live === undefined && request.subresource === "") {
    assertSameName(config, name);
    const managers: Managers = new Map();
    const self = applier(write, config, document, timestamp(server.clock));
    managers.set(managerKey(self), self);
    const manage = (object: ApiObject) => withManagers(object, managers);
    // A create has no previous resourceVersion to compare with.
    const begun = { ...config, metadata: omitKeys(config.metadata, "resourceVersion") };
    return createObject({ ...write, manage }, annotated(write, begun, document));
  }
  const before = existing(server, resource, namespace, name);
  if ((config.metadata.name ?? name) !== name) {
    assertSameName(config, name);
  }
  const { object, managers } = merge(write, config, document, before);
  const manage = (prepared: ApiObject) => withManagers(prepared, managers);
  return updateObject({ ...write, patch: true, manage }, object);
}

function readConfig(write: Write, config: unknown): ApiObject {
  const { request, schema } = write;
  const { apiVersion, kind } = request.resource.descriptor;
  if (!isJsonObject(config)) {
    throw badRequest("error decoding YAML: the document is not an object");
  }
  if (config["apiVersion"] !== apiVersion || config["kind"] !== kind) {
    throw badRequest(`invalid object type: ${gvk(config["apiVersion"], config["kind"])}`);
  }
  const metadata = isJsonObject(config["metadata"]) ? config["metadata"] : {};
  if (metadata["managedFields"] !== undefined && metadata["managedFields"] !== null) {
    throw badRequest("metadata.managedFields must be nil");
  }
  const kept = beforeSchema(config, request.resource);
  const problems = typedProblems(kept, schema);
  const type = gvk(apiVersion, kind);
  const place = `(${String(metadata["namespace"] ?? "")}/${String(metadata["name"] ?? "")}; ${type})`;
  if (problems.length > 0) {
    const [first] = problems;
    const all = `errors:\n${problems.map((one) => `  ${one}`).join("\n")}`;
    const why = problems.length === 1 ? first : all;
    throw failure(500, undefined, `failed to create typed patch object ${place}: ${why}`);
  }
  // A value that fits the schema can still fail to decode into its Go type.
  const refuse = (why: string) =>
    failure(
      500,
      undefined,
      `failed to convert new object ${place} to proper version: unable to convert unstructured object to ${type}: ${withoutField(why)}`,
    );
  return admit(write, kept, request.resource.defined === undefined ? { refuse } : {});
}

/**
 * Removes the field name from an error message: this conversion decodes each value alone, so real servers don't name
 * its field.
 */
function withoutField(why: string): string {
  const fraction = /^json: cannot unmarshal number \S*\.\S* into .* of type (\w+)$/.exec(why);
  return fraction === null
    ? why.replace(/ into Go struct field \S+ of type /, " into Go value of type ")
    : `cannot convert float64 to ${fraction[1]}`;
}

function gvk(apiVersion: unknown, kind: unknown): string {
  const version = typeof apiVersion === "string" ? apiVersion : "";
  return `${version.includes("/") ? version : `/${version}`}, Kind=${typeof kind === "string" ? kind : ""}`;
}

function applier(
  { request, schema, options }: Write,
  config: ApiObject,
  document: unknown,
  time: string | undefined,
): Manager {
  const { resource, subresource } = request;
  const fields = fieldsWithoutMetadataItself(tracked(config, resource, subresource), schema);
  return {
    manager: options.manager,
    operation: "Apply",
    apiVersion: resource.descriptor.apiVersion,
    subresource,
    time,
    fields: union(fields, nullFields({ request, schema }, document)),
  };
}

/** Returns the fields that a configuration sets to null. Its manager owns them although they have no value. */
function nullFields(
  { request, schema }: Pick<Write, "request" | "schema">,
  document: unknown,
): FieldSet {
  const { resource, subresource } = request;
  const nulls = resource.rules.custom ? undefined : nullsIn(document);
  return !isJsonObject(nulls)
    ? emptyFieldSet
    : fieldsWithoutMetadataItself(tracked(nulls, resource, subresource), schema);
}

/** Reduces a value to its null fields and the scalars that identify list items. */
function nullsIn(value: unknown): unknown {
  if (Array.isArray(value)) {
    const found = value.flatMap((item: unknown) => {
      const nulls = isJsonObject(item) ? nullsIn(item) : undefined;
      return isJsonObject(nulls) ? [{ ...scalarsOf(item as JsonObject), ...nulls }] : [];
    });
    return found.length === 0 ? undefined : found;
  }
  if (!isJsonObject(value)) {
    return undefined;
  }
  const found: JsonObject = {};
  for (const key of Object.keys(value)) {
    const inner = value[key] === null ? null : nullsIn(value[key]);
    if (inner !== undefined) {
      setOwn(found, key, inner);
    }
  }
  return Object.keys(found).length === 0 ? undefined : found;
}

function scalarsOf(item: JsonObject): JsonObject {
  const scalars = Object.entries(item).filter(([, value]) => typeof value !== "object");
  return Object.fromEntries(scalars);
}

/** Returns the fields of a configuration, leaving out `metadata` when it is empty. */
function fieldsWithoutMetadataItself(config: JsonObject, schema: Write["schema"]) {
  const { metadata } = config;
  const named = isJsonObject(metadata) && Object.keys(metadata).length > 0;
  return fieldsOf(named ? config : omitKeys(config, "metadata"), schema);
}

/** Counts as owned: every configuration names its object, so `metadata` is never pruned. */
const itsMetadata = readFieldsV1({ "f:metadata": { ".": {} } });

/** Merges, prunes and updates ownership. (structured-merge-diff `merge.Updater.Apply`) */
function merge(
  write: Write,
  config: ApiObject,
  document: unknown,
  live: ApiObject,
): { object: ApiObject; managers: Managers } {
  const { server, request, schema, options, form } = write;
  const { resource, subresource } = request;
  const now = timestamp(server.clock);
  const managers = readManagers(live.metadata.managedFields);
  if (resource.defined !== undefined) {
    settleBySchema(managers, schema);
  }
  if (managers.size === 0) {
    const first = beforeFirstApply(live, { schema, resource, empty: form?.empty, time: now });
    managers.set(managerKey(first), first);
  }
  forgetOtherGroups(managers, resource.group);
  const self = applier(write, config, document, undefined);
  const key = managerKey(self);
  const last = managers.get(key);
  managers.set(key, { ...self, time: last?.time });
  const view = (object: JsonObject) => tracked(object, resource, subresource);
  const current = view(live);
  const laid = mergeTyped(current, tracked(config, resource, subresource), schema);
  const nulls = nullFields(write, document);
  const merged = isEmptyFieldSet(nulls)
    ? laid
    : withoutNulled(laid, tracked(document as JsonObject, resource, subresource), schema);
  const wanted =
    last === undefined
      ? merged
      : (prune(merged, {
          last: last.fields,
          owned: unionOf([itsMetadata, ...[...managers.values()].map(({ fields }) => fields)]),
          node: schema,
        }) ?? {});
  const change = changeOf(
    { current, laid, merged, wanted: view(wanted as JsonObject), nulls },
    schema,
  );
  // `kubectl apply --server-side` takes over fields set by `kubectl apply`.
  const taken = options.manager === migratingManager ? lastAppliedFields(write, live) : undefined;
  const conflicts = options.force ? [] : conflictsOf(managers, change, key, taken);
  if (conflicts.length > 0) {
    throw applyConflict(conflicts);
  }
  disown(managers, change, key);
  if (isEmptyFieldSet(self.fields)) {
    managers.delete(key);
  } else if (!jsonEqual(current, wanted) || !isEmptyFieldSet(nulls)) {
    managers.set(key, { ...self, time: now });
  }
  assertVersion(request, config.metadata, live.metadata);
  return { object: annotated(write, inPlace(live, wanted as JsonObject), document), managers };
}

/** The tracked fields of an object, before and after an apply. */
interface AppliedFields {
  readonly current: JsonObject;
  /** The current fields with the configuration merged into them. */
  readonly laid: unknown;
  /** The same without the fields that the configuration sets to null. */
  readonly merged: unknown;
  /** The same without the fields that the configuration no longer has. */
  readonly wanted: JsonObject;
  /** Fields that the configuration sets to null. */
  readonly nulls: FieldSet;
}

/** Returns the fields that an apply changes. */
function changeOf(
  { current, laid, merged, wanted, nulls }: AppliedFields,
  schema: Write["schema"],
): Comparison {
  const values = compare(current, wanted, schema);
  // Setting an unset field to null: a real server counts this as a change each time.
  const newNulls = difference(nulls, withNamedFields(fieldsOf(current, schema), schema));
  return {
    ...values,
    added: union(values.added, newNulls),
    // Fields set to null count as modified too.
    modified: union(values.modified, compare(laid, merged, schema).removed),
  };
}

function annotated({ options }: Write, object: ApiObject, document: unknown): ApiObject {
  return options.manager === migratingManager ? withLastApplied(object, document) : object;
}

/** Replaces the tracked part of the live object. */
function inPlace(live: ApiObject, wanted: JsonObject): ApiObject {
  const metadata = isJsonObject(wanted["metadata"]) ? wanted["metadata"] : {};
  const { name, namespace, uid, resourceVersion } = live.metadata;
  const identity = withoutUndefined({ name, namespace, uid, resourceVersion });
  const body = omitKeys(wanted, "metadata");
  const status =
    Object.hasOwn(body, "status") || live["status"] === undefined ? {} : { status: live["status"] };
  return {
    apiVersion: live.apiVersion,
    kind: live.kind,
    metadata: { ...metadata, ...identity },
    ...body,
    ...status,
  };
}

function withoutUndefined(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

function applyConflict(conflicts: readonly FieldConflict[]): Error {
  const causes: StatusCause[] = conflicts.map(({ manager, path }) => ({
    reason: "FieldManagerConflict",
    message: `conflict with ${printManager(manager)}`,
    field: path,
  }));
  const [only] = conflicts;
  const list =
    conflicts.length === 1 && only !== undefined
      ? `conflict with ${printManager(only.manager)}: ${only.path}`
      : byManager(conflicts);
  const message = `Apply failed with ${conflicts.length} conflict${conflicts.length === 1 ? "" : "s"}: ${list}`;
  return failure(409, "Conflict", message, { causes });
}

function byManager(conflicts: readonly FieldConflict[]): string {
  const names = [...new Set(conflicts.map(({ manager }) => printManager(manager)))].sort();
  return names
    .map((name) => {
      const paths = conflicts.filter(({ manager }) => printManager(manager) === name);
      return [`conflicts with ${name}:`, ...paths.map(({ path }) => `- ${path}`)].join("\n");
    })
    .join("\n");
}

function printManager({ manager, operation, apiVersion, subresource }: Manager): string {
  const name = `${JSON.stringify(manager)}${subresource === "" ? "" : ` with subresource ${JSON.stringify(subresource)}`}`;
  return operation === "Update" ? `${name} using ${apiVersion}` : name;
}
