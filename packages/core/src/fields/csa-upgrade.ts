import type { KubeObject, ManagedFieldsEntry } from "../objects/api-types.js";
import { assertOptions, type OptionTable } from "../options/option-table.js";
import type { JsonPatchOperation } from "../patch/json-patch-between.js";
import { readFieldsV1, unionFieldSets, writeFieldsV1 } from "./field-set.js";
import { appliedBy, managedFieldsOf } from "./managed-fields.js";

/** Managers under which kubectl applied before it used server-side apply. */
export const clientSideAppliers: readonly string[] = [
  "kubectl-client-side-apply",
  "before-first-apply",
];

/** Options of an upgrade from client-side to server-side apply. */
export interface CsaUpgradeOptions {
  /** Managers whose updates become applies. Default {@link clientSideAppliers}. */
  readonly csaManagers?: readonly string[] | undefined;
  /** Field manager that will apply from now on. */
  readonly ssaManager: string;
  /** Upgrades the writes through this subresource. Default: those without a subresource. */
  readonly subresource?: string | undefined;
}

const csaUpgradeOptions: OptionTable<CsaUpgradeOptions> = {
  csaManagers: true,
  ssaManager: true,
  subresource: true,
};

/**
 * Returns the object's managedFields with the fields of client-side apply transferred to a manager of server-side
 * apply. Its next apply then removes the fields that it no longer contains, without conflicts. Other managers keep
 * their fields. The upgrade cannot be undone.
 *
 * @returns `undefined` when there is nothing to do.
 * @throws {KubeError} `InvalidArgument` for an object without managedFields.
 */
export function upgradedManagedFields(
  object: KubeObject,
  options: CsaUpgradeOptions,
): ManagedFieldsEntry[] | undefined {
  assertOptions("a CSA upgrade", options, csaUpgradeOptions);
  const { csaManagers = clientSideAppliers, ssaManager, subresource = "" } = options;
  const entries = managedFieldsOf(object);
  const isLegacy = (entry: ManagedFieldsEntry) =>
    entry.operation === "Update" &&
    csaManagers.includes(entry.manager ?? "") &&
    (entry.subresource ?? "") === subresource;
  const legacy = entries.filter(isLegacy);
  const [first] = legacy;
  if (first === undefined) {
    return undefined;
  }
  const applier: ManagedFieldsEntry = appliedBy(entries, ssaManager, subresource) ?? {
    ...first,
    manager: ssaManager,
    operation: "Apply",
  };
  const fields = legacy
    .filter(({ apiVersion }) => apiVersion === applier.apiVersion)
    .map(({ fieldsV1 }) => readFieldsV1(fieldsV1))
    .reduce(unionFieldSets, readFieldsV1(applier.fieldsV1));
  const rest = entries.filter((entry) => !isLegacy(entry) && entry !== applier);
  return [{ ...applier, fieldsV1: writeFieldsV1(fields) }, ...rest];
}

/**
 * Returns the same upgrade as a JSON patch. The patch applies only to the resourceVersion that was read: after a
 * concurrent change the server responds with `Conflict`.
 *
 * @returns `undefined` when there is nothing to do.
 * @throws {KubeError} `InvalidArgument` for an object without managedFields.
 */
export function csaUpgradeOperations(
  object: KubeObject,
  options: CsaUpgradeOptions,
): JsonPatchOperation[] | undefined {
  const value = upgradedManagedFields(object, options);
  return (
    value && [
      { op: "replace", path: "/metadata/managedFields", value },
      {
        op: "replace",
        path: "/metadata/resourceVersion",
        value: object.metadata?.resourceVersion,
      },
    ]
  );
}
