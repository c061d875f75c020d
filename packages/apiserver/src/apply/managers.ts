import type { ManagedFieldsEntry } from "../store/stored-object.js";
import type { Comparison } from "./compare.js";
import {
  difference,
  emptyFieldSet,
  type FieldSet,
  intersection,
  isEmptyFieldSet,
  pathsOf,
  printPath,
  readFieldsV1,
  union,
  writeFieldsV1,
} from "./field-set.js";

/** One owner of fields: an entry of managedFields with its set read. */
export interface Manager {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  readonly subresource: string;
  readonly time: string | undefined;
  readonly fields: FieldSet;
}

/** Managers by identity: name, operation, version and subresource. */
export type Managers = Map<string, Manager>;

/** The identity of a manager. For an applier the version does not count: it may change from apply to apply. */
export function managerKey({
  manager,
  operation,
  apiVersion,
  subresource,
}: Omit<Manager, "fields" | "time">): string {
  return JSON.stringify([manager, operation, operation === "Apply" ? "" : apiVersion, subresource]);
}

/** Reads managedFields. */
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

/** Forgets who wrote an object in another group: what its fields are called there is not known here. Events have two. */
export function forgetOtherGroups(managers: Managers, group: string): void {
  for (const [key, { apiVersion }] of managers) {
    if (group === "" ? apiVersion.includes("/") : !apiVersion.startsWith(`${group}/`)) {
      managers.delete(key);
    }
  }
}

/** Writes managedFields in the order of real servers. */
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

/** A field that another manager owns and that a write changes. */
export interface FieldConflict {
  readonly manager: Manager;
  readonly path: string;
}

/**
 * Every field that a change takes from others than `self`.
 *
 * @param allowed - fields that may be taken from anyone.
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

/** Takes what changed or went away from everybody but `self`. */
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
