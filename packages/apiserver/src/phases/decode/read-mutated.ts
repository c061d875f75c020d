import type { Write } from "../../context/write.js";
import { internalError } from "../../errors/status-errors.js";
import { type ApiObject, normalized } from "../../objects/api-object.js";
import type { JsonObject } from "../../objects/json-value.js";
import { withDefaults } from "../default/default-object.js";
import { readFields } from "./read-fields.js";

/**
 * Reads an object that admission has changed: fills in defaults, and drops unknown fields unless it must be strict.
 *
 * @throws {StatusError} 500 for an object that does not fit the schema, or has become one of another kind.
 */
export function readMutated(
  { request, schema, form }: Write,
  changed: JsonObject,
  unknownFields: "drop" | "refuse" = "drop",
): ApiObject {
  const { resource } = request;
  const { strategy, descriptor } = resource;
  const { apiVersion, kind } = descriptor;
  for (const [key, expected] of [
    ["apiVersion", apiVersion],
    ["kind", kind],
  ] as const) {
    const given = changed[key] ?? "";
    if (given !== "" && given !== expected) {
      const texts = [expected, given].map((text) => JSON.stringify(text));
      throw internalError(`admission must not change ${key} from ${texts.join(" to ")}`);
    }
  }
  const reading = {
    schema,
    options: { fieldValidation: unknownFields === "drop" ? "Ignore" : "Strict" },
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
