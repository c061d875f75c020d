import type { KubeObject, ManagedFieldsEntry } from "../api-types.js";
import { assertKnownOptions, type OptionNames } from "../assert-known-options.js";
import type { JsonPatchOperation } from "../patch/json-patch-between.js";
import { readFieldsV1, unionFieldSets, writeFieldsV1 } from "./field-set.js";
import { appliedBy, managedFieldsOf } from "./managed-fields.js";

/** The managers under which kubectl applied before it did so on the server. */
export const clientSideAppliers: readonly string[] = [
  "kubectl-client-side-apply",
  "before-first-apply",
];

/** Who applied so far, and who will. */
export interface CsaUpgradeOptions {
  /** The managers whose updates become applies. Default {@link clientSideAppliers}. */
  readonly csaManagers?: readonly string[] | undefined;
  /** The field manager that will apply from now on. */
  readonly ssaManager: string;
  /** Writes through this subresource. Default: through none. */
  readonly subresource?: string | undefined;
}

const ofUpgrade: OptionNames<keyof CsaUpgradeOptions> = {
  csaManagers: true,
  ssaManager: true,
  subresource: true,
};

/**
 * The owners of an object with what client-side apply owned given to a manager that applies on the server, so that what it does
 * not apply any more goes, and nothing conflicts. What others own stays with them. There is no way back.
 *
 * @returns `undefined` where there is nothing to do.
 * @throws {KubeError} `InvalidArgument` for an object without managedFields.
 */
export function upgradedManagedFields(
  object: KubeObject,
  options: CsaUpgradeOptions,
): ManagedFieldsEntry[] | undefined {
  assertKnownOptions("a CSA upgrade", options, ofUpgrade);
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
 * The same as a JSON patch. It holds only for the version of the object that was read: a change meanwhile is a `Conflict`.
 *
 * @returns `undefined` where there is nothing to do.
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
