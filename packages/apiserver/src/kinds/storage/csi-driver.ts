import type { FieldErrors } from "../../errors/field-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { stringsOf } from "../../objects/json-value.js";
import { objectsOf, specOf } from "../../objects/parts.js";
import { validateOneOf, validateUniqueKeys } from "../../phases/validate/checks.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validateTokenLifetime } from "../volumes/token-lifetime.js";
import { csiDriverColumns } from "./storage-columns.js";

/** Strategy of the kind CSIDriver. */
export const csiDriverStrategy: KindStrategy = {
  rules: { unconditionalUpdate: false, returnDeleted: true },
  validate: validateCsiDriver,
  immutable: [
    { path: "spec.attachRequired", called: "spec.attachedRequired" },
    { path: "spec.fsGroupPolicy" },
    { path: "spec.volumeLifecycleModes" },
  ],
  columns: csiDriverColumns,
};

function validateCsiDriver(driver: ApiObject, errors: FieldErrors): void {
  const spec = specOf(driver);
  const requests = objectsOf(spec["tokenRequests"]);
  for (const mode of stringsOf(spec["volumeLifecycleModes"])) {
    validateOneOf(mode, ["Persistent", "Ephemeral"], "spec.volumeLifecycleModes", errors);
  }
  validateOneOf(
    spec["fsGroupPolicy"],
    ["File", "None", "ReadWriteOnceWithFSType"],
    "spec.fsGroupPolicy",
    errors,
  );
  validateUniqueKeys(requests, "audience", "spec.tokenRequests", errors);
  for (const [at, { expirationSeconds }] of requests.entries()) {
    const path = `spec.tokenRequests[${at}].expirationSeconds`;
    validateTokenLifetime(expirationSeconds, path, errors);
  }
}
