import { specOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { apiServiceColumns } from "../admissionregistration/admission-columns.js";
import { withLocalStatus } from "../core/access-hooks.js";

/** Strategy of the kind APIService. */
export const apiServiceStrategy: KindStrategy = {
  rules: { statusOnCreate: true, statusMetadata: "none" },
  prepareCreate: withLocalStatus,
  columns: apiServiceColumns,
  idle: {
    why: "does not forward requests to other servers",
    note: "with a Service",
    only: (object) => typeof specOf(object)["service"] === "object",
  },
};
