import type { Write } from "../../context/write.js";
import { cause } from "../../errors/field-errors.js";
import { internalError, invalid } from "../../errors/status-errors.js";
import { type ApiObject, normalized } from "../../objects/api-object.js";
import { getPath, type JsonObject } from "../../objects/json-value.js";
import type { ServedResource } from "../../resources/served-resource.js";
import { withDefaults } from "../default/default-object.js";
import { readFields } from "./read-fields.js";

/**
 * Reads an object that admission has changed: fills in defaults, and drops unknown fields unless it must be strict.
 *
 * @throws {StatusError} 500 for an object that does not fit the schema or is not of the kind any more; 422 if it is a
 *   custom resource of another kind.
 */
export function readMutated(
  { request, schema, form }: Write,
  changed: JsonObject,
  unknownFields: "drop" | "refuse" = "drop",
): ApiObject {
  const { resource } = request;
  const { strategy, descriptor } = resource;
  const { apiVersion, kind } = descriptor;
  assertSameKind(resource, changed);
  // Real servers decode custom resources without their schema, and prune them afterwards.
  const isLenient = unknownFields === "drop" || resource.rules.custom;
  const reading = {
    schema,
    options: { fieldValidation: isLenient ? "Ignore" : "Strict" },
    warnings: [],
    patch: true,
  } as const;
  const whole = { ...changed, apiVersion, kind };
  const read = normalized(
    readFields(whole, { ...reading, warnings: [] }, strategy.decoder, { refuse: internalError }),
  );
  const object = withDefaults(resource, strategy.schemaDefaults?.(read) ?? read, schema);
  return normalized(form === undefined ? object : form.of(object));
}

/**
 * Checks that an object is still one of its kind.
 *
 * @throws {StatusError} 422 for the kind of a custom resource, otherwise 500.
 */
function assertSameKind({ descriptor, group, rules }: ServedResource, changed: JsonObject): void {
  for (const key of ["apiVersion", "kind"] as const) {
    const expected = descriptor[key];
    const given = changed[key] ?? "";
    if (given === "" || given === expected) {
      continue;
    }
    if (key === "kind" && rules.custom) {
      const why = `must be ${expected}`;
      const name = String(getPath(changed, "metadata", "name") ?? "");
      throw invalid({ group, kind: String(given) }, name, [cause.invalid(key, given, why)]);
    }
    const texts = [expected, given].map((text) => JSON.stringify(text));
    throw internalError(`admission must not change ${key} from ${texts.join(" to ")}`);
  }
}
