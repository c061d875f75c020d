import { cause, type FieldErrors } from "../../errors/field-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { mapOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";

/** Strategy of the kind VolumeAttributesClass. */
export const volumeAttributesClassStrategy: KindStrategy = {
  rules: { returnDeleted: true },
  validate: validateAttributesClass,
  columns: columnsFor("volumeattributesclasses.storage.k8s.io", {
    DriverName: column("Driver of the attributes.", ({ driverName }) => driverName),
  }),
};

function validateAttributesClass({ parameters }: ApiObject, errors: FieldErrors): void {
  const names = Object.keys(mapOf(parameters));
  if (names.includes("")) {
    errors.push(cause.invalid("parameters", "", "field can not be empty."));
  }
  if (names.length === 0) {
    errors.push(cause.required("parameters", "must contain at least one key/value pair"));
  }
}
