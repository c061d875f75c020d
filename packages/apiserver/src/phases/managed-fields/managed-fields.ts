import type { ApiObject, ManagedFieldsEntry } from "../../objects/api-object.js";
import { getPath, isJsonObject, type JsonObject, omitKeys } from "../../objects/json-value.js";
import type { ServedResource } from "../../resources/served-resource.js";
import type { SchemaNode } from "../../schema/schema-node.js";
import { compare } from "./compare.js";
import {
  difference,
  emptyFieldSet,
  intersection,
  isEmptyFieldSet,
  readFieldsV1,
  union,
} from "./field-set.js";
import { settleBySchema } from "./fields-by-schema.js";
import {
  areReadable,
  disown,
  forgetOtherGroups,
  type Manager,
  type Managers,
  managerKey,
  readManagers,
  writeManagers,
} from "./managers.js";
import { tracked } from "./tracked.js";

/** Inputs for tracking ownership of a create, update or non-apply patch. */
export interface UpdateOfFields {
  readonly object: ApiObject;
  readonly before: ApiObject | undefined;
  readonly schema: SchemaNode;
  readonly resource: ServedResource;
  readonly manager: string;
  readonly subresource: string;
  readonly time: string;
  /** Initial content of a typed object of the kind. */
  readonly empty?: JsonObject | undefined;
}

/** Records field ownership after a write: the manager becomes the only owner of every field that the write changes. */
export function updateManagers(update: UpdateOfFields): ApiObject {
  const { object, before, schema, resource, subresource, empty, time } = update;
  const given = object.metadata.managedFields;
  if (before !== undefined && isReset(given)) {
    return withManagers(object, new Map());
  }
  const isGiven = given !== undefined && areReadable(given);
  const managers = readManagers(isGiven ? given : before?.metadata.managedFields);
  if (resource.defined !== undefined) {
    settleBySchema(managers, schema);
  }
  // An existing object without owners stays untracked until its first apply.
  if (managers.size === 0 && before !== undefined) {
    return withManagers(object, managers);
  }
  forgetOtherGroups(managers, resource.group);
  const old = before === undefined ? (empty ?? emptyLike(object, resource)) : before;
  const change = compare(
    tracked(old, resource, subresource),
    tracked(object, resource, subresource),
    schema,
  );
  const changed = union(change.added, change.modified);
  // A Scale write is tracked only if it changes owned fields; a Scale with zero replicas has no field to own.
  const isTracked =
    subresource !== "scale" ||
    (getPath(object, "spec", "replicas") !== 0 &&
      [...managers.values()].some(
        ({ fields: owned }) => !isEmptyFieldSet(intersection(owned, changed)),
      ));
  disown(managers, change, "");
  if (subresource === "scale") {
    setReplicasApart(managers, resource);
  }
  const fields = isTracked ? changed : emptyFieldSet;
  if (!isEmptyFieldSet(fields)) {
    const self: Manager = {
      manager: update.manager,
      operation: "Update",
      apiVersion: resource.descriptor.apiVersion,
      subresource,
      // Writes through `scale` use another type, which carries no time.
      time: subresource === "scale" ? undefined : time,
      fields,
    };
    const key = managerKey(self);
    const previous = managers.get(key);
    managers.set(
      key,
      previous === undefined ? self : { ...self, fields: union(previous.fields, fields) },
    );
  }
  return withManagers(object, managers);
}

/**
 * Moves ownership of replicas into a separate entry per owner. A Scale has an apiVersion of its own, so writing one
 * removes replicas from the update entries and gives each owner an entry for them alone, without a time. The owner's
 * next write drops it. (managedfields `ScaleHandler.ToParent`)
 */
function setReplicasApart(managers: Managers, { defined }: ServedResource): void {
  const path = defined?.scale?.specReplicas ?? ["spec", "replicas"];
  const replicas = readFieldsV1(
    path.reduceRight<JsonObject>((inner, key) => ({ [`f:${key}`]: inner }), {}),
  );
  for (const [key, manager] of [...managers]) {
    if (manager.operation === "Apply" || isEmptyFieldSet(intersection(manager.fields, replicas))) {
      continue;
    }
    const rest = difference(manager.fields, replicas);
    const apart = { ...manager, fields: replicas, time: undefined };
    if (isEmptyFieldSet(rest)) {
      managers.set(key, apart);
    } else {
      managers.set(key, { ...manager, fields: rest });
      managers.set(`${key} scale`, apart);
    }
  }
}

/** Returns an entry that owns all fields of a previously untracked object. */
export function beforeFirstApply(
  live: ApiObject,
  { schema, resource, empty, time }: Pick<UpdateOfFields, "empty" | "resource" | "schema" | "time">,
): Manager {
  const { added, modified } = compare(
    tracked(empty ?? emptyLike(live, resource), resource, ""),
    tracked(live, resource, ""),
    schema,
  );
  return {
    manager: "before-first-apply",
    operation: "Update",
    apiVersion: resource.descriptor.apiVersion,
    subresource: "",
    time,
    fields: union(added, modified),
  };
}

/** Returns true for an empty list and a list of one empty entry: both reset the ownership of an existing object. */
function isReset(entries: readonly ManagedFieldsEntry[] | undefined): boolean {
  return (
    entries !== undefined &&
    (entries.length === 0 || (entries.length === 1 && Object.keys(entries[0] ?? {}).length === 0))
  );
}

/** Returns the object with these managers in managedFields. */
export function withManagers(object: ApiObject, managers: Managers): ApiObject {
  const entries = writeManagers(managers);
  const metadata =
    entries.length === 0
      ? omitKeys(object.metadata, "managedFields")
      : { ...object.metadata, managedFields: entries };
  return { ...object, metadata };
}

/** Returns the empty object to compare a new object with. Typed objects always have a spec. */
function emptyLike(object: JsonObject, { defined }: ServedResource): JsonObject {
  return defined === undefined && isJsonObject(object["spec"])
    ? { metadata: {}, spec: {} }
    : { metadata: {} };
}
