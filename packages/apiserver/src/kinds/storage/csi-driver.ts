import type { FieldErrors } from "../../errors/field-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { stringsOf } from "../../objects/json-value.js";
import { objectsOf, specOf } from "../../objects/parts.js";
import { validateOneOf } from "../../phases/validate/checks.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import { validateFields } from "../fields/validate-fields.js";
import { validateTokenLifetime } from "../volumes/token-lifetime.js";
import { unset } from "./storage-cells.js";

/** Strategy of the kind CSIDriver. */
export const csiDriverStrategy: KindStrategy = {
  rules: { unconditionalUpdate: false, returnDeleted: true },
  validate: validateCsiDriver,
  immutable: [
    { path: "spec.attachRequired", called: "spec.attachedRequired" },
    { path: "spec.fsGroupPolicy" },
    { path: "spec.volumeLifecycleModes" },
  ],
  columns: columnsFor("csidrivers.storage.k8s.io", {
    AttachRequired: column(
      "True if volumes must be attached.",
      (one) => specOf(one)["attachRequired"] ?? true,
    ),
    PodInfoOnMount: column(
      "True if the driver gets pod information on mount.",
      (one) => specOf(one)["podInfoOnMount"] ?? false,
    ),
    StorageCapacity: column(
      "True if the driver publishes its capacity.",
      (one) => specOf(one)["storageCapacity"] ?? false,
    ),
    TokenRequests: column(
      "Audiences of the driver's tokens.",
      (one) =>
        objectsOf(specOf(one)["tokenRequests"])
          .map(({ audience }) => String(audience))
          .join(",") || unset,
    ),
    RequiresRepublish: column(
      "True if volumes are published periodically.",
      (one) => specOf(one)["requiresRepublish"] ?? false,
    ),
    Modes: column(
      "Kinds of volumes.",
      (one) => stringsOf(specOf(one)["volumeLifecycleModes"]).join(",") || unset,
    ),
  }),
};

function validateCsiDriver(driver: ApiObject, errors: FieldErrors): void {
  const spec = specOf(driver);
  const requests = objectsOf(spec["tokenRequests"]);
  for (const mode of stringsOf(spec["volumeLifecycleModes"])) {
    validateOneOf(mode, ["Persistent", "Ephemeral"], "spec.volumeLifecycleModes", errors);
  }
  validateFields("storage/v1.CSIDriverSpec", spec, "spec", errors);
  for (const [at, { expirationSeconds }] of requests.entries()) {
    const path = `spec.tokenRequests[${at}].expirationSeconds`;
    validateTokenLifetime(expirationSeconds, path, errors);
  }
}
