import type { FieldErrors } from "../errors/field-errors.js";
import { cause } from "../errors/status-errors.js";
import { isJsonObject } from "../objects/json-value.js";
import type { StructuralSchema } from "../schema/structural/structural-schema.js";

/** Returns the errors in the `x-kubernetes-...` extensions of one schema: list and map types, and CEL rules. */
export function validateListType(
  schema: StructuralSchema,
  path: string,
  errors: FieldErrors,
): void {
  const { source } = schema;
  const preserve = source["x-kubernetes-preserve-unknown-fields"];
  if (preserve === false) {
    errors.push(
      cause.invalid(
        `${path}.x-kubernetes-preserve-unknown-fields`,
        false,
        "must be true or undefined",
      ),
    );
  }
  validateMapType(schema, path, errors);
  validateOwnListType(schema, path, errors);
  validateKey(schema, path, errors);
  validateItem(schema, path, errors);
  validateRule(source["x-kubernetes-validations"], `${path}.x-kubernetes-validations`, errors);
}

function validateMapType(
  { type, mapType }: StructuralSchema,
  path: string,
  errors: FieldErrors,
): void {
  if (mapType === undefined) {
    return;
  }
  validateWrongType(type, "object", "x-kubernetes-map-type", path, errors);
  if (!["atomic", "granular"].includes(mapType)) {
    errors.push(
      cause.notSupported(`${path}.x-kubernetes-map-type`, mapType, ["atomic", "granular"]),
    );
  }
}

function validateWrongType(
  type: string,
  wanted: string,
  marker: string,
  path: string,
  errors: FieldErrors,
): void {
  const why = `must be ${wanted} if ${marker} is specified`;
  const at = `${path}.type`;
  if (type !== wanted) {
    errors.push(type === "" ? cause.required(at, why) : cause.invalid(at, type, why));
  }
}

function validateOwnListType(schema: StructuralSchema, path: string, errors: FieldErrors): void {
  const { type, listType, items } = schema;
  if (listType === undefined) {
    return;
  }
  const causes: FieldErrors = [];
  validateWrongType(type, "array", "x-kubernetes-list-type", path, causes);
  if (causes.length === 0 && listType === "set" && items !== undefined) {
    const why = "must be atomic as item of a list with x-kubernetes-list-type=set";
    if (items.type === "array" && (items.listType ?? "atomic") !== "atomic") {
      causes.push(cause.invalid(`${path}.items.x-kubernetes-list-type`, items.listType, why));
    }
    if (items.type === "object" && items.mapType !== "atomic") {
      // Real servers show the list type of the items here.
      const shown = items.listType ?? null;
      causes.push(cause.invalid(`${path}.items.x-kubernetes-map-type`, shown, why));
    }
  }
  if (!["atomic", "set", "map"].includes(listType)) {
    const known = ["atomic", "set", "map"];
    causes.push(cause.notSupported(`${path}.x-kubernetes-list-type`, listType, known));
  }
  errors.push(...causes);
}

function validateKey(schema: StructuralSchema, path: string, errors: FieldErrors): void {
  const { listType, listMapKeys, items } = schema;
  const causes: FieldErrors = [];
  const typeAt = `${path}.x-kubernetes-list-type`;
  const keysAt = `${path}.x-kubernetes-list-map-keys`;
  if (listMapKeys.length > 0 && listType !== "map") {
    const why = "must be map if x-kubernetes-list-map-keys is non-empty";
    causes.push(
      listType === undefined ? cause.required(typeAt, why) : cause.invalid(typeAt, listType, why),
    );
  }
  if (listType !== "map") {
    errors.push(...causes);
    return;
  }
  if (listMapKeys.length === 0) {
    causes.push(cause.required(keysAt, "must not be empty if x-kubernetes-list-type is map"));
  }
  if (items === undefined) {
    const why = "must have a schema if x-kubernetes-list-type is map";
    errors.push(...causes);
    errors.push(cause.required(`${path}.items`, why));
    return;
  }
  if (items.type !== "object") {
    const why = "must be object if parent array's x-kubernetes-list-type is map";
    errors.push(...causes);
    errors.push(cause.invalid(`${path}.items.type`, items.type, why));
    return;
  }
  for (const [at, key] of listMapKeys.entries()) {
    const property = items.properties.get(key);
    if (property === undefined) {
      causes.push(
        cause.invalid(keysAt, listMapKeys, "entries must all be names of item properties"),
      );
    } else if (property.type === "array" || property.type === "object") {
      const why = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      causes.push(cause.invalid(`${path}.items.properties[${key}].type`, items.type, why));
    }
    if (listMapKeys.indexOf(key) < at) {
      causes.push(cause.invalid(keysAt, listMapKeys, "must not contain duplicate entries"));
    }
  }
  errors.push(...causes);
}

function validateItem(
  { listType, listMapKeys, items }: StructuralSchema,
  path: string,
  errors: FieldErrors,
): void {
  if (items === undefined || (listType !== "set" && listType !== "map")) {
    return;
  }
  const causes: FieldErrors = [];
  if (items.nullable) {
    const why = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
    causes.push(cause.forbidden(`${path}.items.nullable`, why));
  }
  for (const key of listType === "map" ? listMapKeys : []) {
    const property = items.properties.get(key);
    const at = `${path}.items.properties[${key}]`;
    const why = "this property is in x-kubernetes-list-map-keys, so it";
    if (property !== undefined && !items.required.includes(key) && property.default === undefined) {
      causes.push(
        cause.required(`${at}.default`, `${why} must have a default or be a required property`),
      );
    }
    if (property?.nullable) {
      causes.push(cause.forbidden(`${at}.nullable`, `${why} cannot be nullable`));
    }
  }
  errors.push(...causes);
}

/** Returns the errors in CEL rules that can be detected without evaluating them. */
function validateRule(rules: unknown, path: string, errors: FieldErrors): void {
  for (const [at, rule] of (Array.isArray(rules) ? rules : []).entries()) {
    const { rule: text, message } = isJsonObject(rule) ? rule : {};
    const trimmed = String(text ?? "").trim();
    if (trimmed === "") {
      errors.push(cause.required(`${path}[${at}].rule`, "rule is not specified"));
      continue;
    }
    if (typeof message === "string" && message.trim() === "" && message !== "") {
      errors.push(
        cause.invalid(`${path}[${at}].message`, message, "must be non-empty if specified"),
      );
      continue;
    }
    if (/[\n\r]/.test(String(message ?? "").trim())) {
      errors.push(cause.invalid(`${path}[${at}].message`, message, "must not contain line breaks"));
      continue;
    }
    if (/[\n\r]/.test(trimmed) && String(message ?? "") === "") {
      errors.push(
        cause.required(
          `${path}[${at}].message`,
          "message must be specified if rule contains line breaks",
        ),
      );
    }
  }
}
