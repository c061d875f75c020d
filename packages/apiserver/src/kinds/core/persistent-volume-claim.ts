import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validateClaimChange } from "../immutable-fields.js";
import { asPendingClaim, withBothSources } from "../storage-hooks.js";
import { persistentVolumeClaimColumns } from "../table/storage-columns.js";
import { validateClaim, validateClaimStatus } from "../validation/claims.js";
import { claimWarnings } from "../warnings/storage-warnings.js";

/** Strategy of the kind PersistentVolumeClaim. */
export const persistentVolumeClaimStrategy: KindStrategy = {
  rules: { returnDeleted: true },
  defaults: withBothSources,
  prepareCreate: asPendingClaim,
  validate: (object, errors) => void errors.push(...validateClaim(object)),
  validateUpdate: (object, old, errors) => void errors.push(...validateClaimChange(object, old)),
  validateStatus: (object, _old, errors) => void errors.push(...validateClaimStatus(object)),
  warnings: claimWarnings,
  columns: persistentVolumeClaimColumns,
  idle: { why: "does not bind or provision volumes" },
};
