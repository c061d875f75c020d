import type { KindStrategy } from "../../resources/kind-strategy.js";
import { persistentVolumeClaimColumns } from "../storage/storage-columns.js";
import { claimWarnings } from "../storage/storage-warnings.js";
import { validateClaim, validateClaimStatus } from "../volumes/validate-claim.js";
import { validateClaimChange } from "./immutable-fields.js";
import { asPendingClaim, withBothSources } from "./storage-hooks.js";

/** Strategy of the kind PersistentVolumeClaim. */
export const persistentVolumeClaimStrategy: KindStrategy = {
  rules: { returnDeleted: true },
  defaults: withBothSources,
  prepareCreate: asPendingClaim,
  validate: validateClaim,
  validateUpdate: validateClaimChange,
  validateStatus: (object, _old, errors) => validateClaimStatus(object, errors),
  warnings: claimWarnings,
  columns: persistentVolumeClaimColumns,
  idle: { why: "does not bind or provision volumes" },
};
