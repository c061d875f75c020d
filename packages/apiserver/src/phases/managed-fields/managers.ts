import type { ManagedFieldsEntry } from "../../objects/api-object.js";
import type { Comparison } from "./compare.js";
import {
  difference,
  emptyFieldSet,
  type FieldSet,
  intersection,
  isEmptyFieldSet,
  isFieldSet,
  pathsOf,
  printPath,
  readFieldsV1,
  union,
  writeFieldsV1,
} from "./field-set.js";

/** A field manager: an entry of managedFields with its field set parsed. */
export interface Manager {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  readonly subresource: string;
  readonly time: string | undefined;
  readonly fields: FieldSet;
}

/** Managers by identity: name, operation, apiVersion and subresource. */
export type Managers = Map<string, Manager>;

/** Returns the identity of a manager. For Apply entries it excludes the apiVersion, which may change between applies. */
export function managerKey({
  manager,
  operation,
  apiVersion,
  subresource,
}: Omit<Manager, "fields" | "time">): string {
  return JSON.stringify([manager, operation, operation === "Apply" ? "" : apiVersion, subresource]);
}

/**
 * Returns whether all entries can be read. If a client sends others, servers ignore the whole list and keep the
 * managers that the object has.
 */
export function areReadable(entries: readonly ManagedFieldsEntry[]): boolean {
  return entries.every(
    ({ operation, apiVersion = "", fieldsType, fieldsV1 }) =>
      (operation === "Apply" || operation === "Update") &&
      apiVersion !== "" &&
      fieldsType === "FieldsV1" &&
      isFieldSet(fieldsV1 ?? {}),
  );
}

/** Parses managedFields. */
export function readManagers(entries: readonly ManagedFieldsEntry[] | undefined): Managers {
  const managers: Managers = new Map();
  for (const entry of entries ?? []) {
    const manager: Manager = {
      manager: entry.manager ?? "",
      operation: entry.operation === "Apply" ? "Apply" : "Update",
      apiVersion: entry.apiVersion ?? "",
      subresource: entry.subresource ?? "",
      time: entry.time,
      fields: readFieldsV1(entry.fieldsV1),
    };
    managers.set(managerKey(manager), manager);
  }
  return managers;
}

/**
 * Drops managers that wrote the object in another API group, since their field names may differ. Only Events have two
 * groups.
 */
export function forgetOtherGroups(managers: Managers, group: string): void {
  for (const [key, { apiVersion }] of managers) {
    if (group === "" ? apiVersion.includes("/") : !apiVersion.startsWith(`${group}/`)) {
      managers.delete(key);
    }
  }
}

/** Serializes managedFields in the order of real servers. */
export function writeManagers(managers: Managers): ManagedFieldsEntry[] {
  return [...managers.values()]
    .filter(({ fields }) => !isEmptyFieldSet(fields))
    .sort(
      (a, b) =>
        order(a.operation, b.operation) ||
        order(a.time ?? "", b.time ?? "") ||
        order(a.manager, b.manager) ||
        order(a.apiVersion, b.apiVersion) ||
        order(a.subresource, b.subresource),
    )
    .map(({ manager, operation, apiVersion, time, fields, subresource }) => ({
      manager,
      operation,
      apiVersion,
      ...(time === undefined ? {} : { time }),
      fieldsType: "FieldsV1",
      fieldsV1: writeFieldsV1(fields),
      ...(subresource === "" ? {} : { subresource }),
    }));
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A field that a write changes and another manager owns. */
export interface FieldConflict {
  readonly manager: Manager;
  readonly path: string;
}

/**
 * Returns the fields that a change would take from managers other than `self`.
 *
 * @param allowed - fields that may be taken from any manager.
 */
export function conflictsOf(
  managers: Managers,
  change: Comparison,
  self: string,
  allowed: FieldSet = emptyFieldSet,
): FieldConflict[] {
  const changed = union(change.modified, change.added);
  return [...managers].flatMap(([key, manager]) =>
    key === self
      ? []
      : pathsOf(difference(intersection(manager.fields, changed), allowed)).map((path) => ({
          manager,
          path: printPath(path),
        })),
  );
}

/** Removes the changed and removed fields from all managers but `self`. */
export function disown(managers: Managers, change: Comparison, self: string): void {
  if (managers.size === 0) {
    return;
  }
  const lost = union(union(change.modified, change.added), change.removed);
  for (const [key, manager] of managers) {
    if (key === self) {
      continue;
    }
    const fields = difference(manager.fields, lost);
    if (isEmptyFieldSet(fields)) {
      managers.delete(key);
    } else {
      managers.set(key, { ...manager, fields });
    }
  }
}
