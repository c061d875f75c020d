import { cause } from "../../errors/field-errors.js";
import type { JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { none, numberOf } from "../../response/table/cell-text.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import { validateFields } from "../fields/validate-fields.js";

/** Strategy of the kind ControllerRevision. */
export const controllerRevisionStrategy: KindStrategy = {
  validate(object, errors) {
    const { data } = object;
    validateFields("apps/v1.ControllerRevision", object, "", errors);
    if (data === undefined || data === null) {
      errors.push(cause.required("data", "data is mandatory"));
    }
  },
  immutable: [{ path: "data" }],
  columns: columnsFor("controllerrevisions.apps", {
    Controller: column("Controller of the revision.", controllerOf),
    Revision: column("Number of the revision.", ({ revision }) => numberOf(revision)),
  }),
};

function controllerOf({ metadata }: JsonObject): string {
  const owners = objectsOf(mapOf(metadata)["ownerReferences"]);
  const owner = owners.find(({ controller }) => controller === true);
  if (owner === undefined) {
    return none;
  }
  const [group = "", version] = String(owner["apiVersion"]).split("/");
  const kind = String(owner["kind"]).toLowerCase();
  return `${kind}${version === undefined ? "" : `.${group}`}/${String(owner["name"])}`;
}
