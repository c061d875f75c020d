import {
  cause,
  type FieldErrors,
  isUnset,
  validateGivenOneOf,
} from "@typekube/core/internal/field-errors";
import { isJsonObject, type JsonObject } from "@typekube/core/internal/json";
import { trimSpace } from "@typekube/core/internal/texts";
import { ruleFieldPath } from "../rules/rule-field-path.js";
import type { StructuralSchema } from "../structural/structural-schema.js";

/** Appends the errors in the `x-kubernetes-...` extensions of one schema: list and map types, and CEL rules. */
export function validateExtensions(
  schema: StructuralSchema,
  path: string,
  errors: FieldErrors,
): void {
  const { source } = schema;
  if (source["x-kubernetes-preserve-unknown-fields"] === false) {
    const place = `${path}.x-kubernetes-preserve-unknown-fields`;
    errors.push(cause.invalid(place, false, "must be true or undefined"));
  }
  validateMapType(schema, path, errors);
  validateOwnListType(schema, path, errors);
  validateListKeys(schema, path, errors);
  validateKeyedItems(schema, path, errors);
  validateRules(schema, path, errors);
}

function validateMapType(
  { type, mapType }: StructuralSchema,
  path: string,
  errors: FieldErrors,
): void {
  if (mapType === undefined) {
    return;
  }
  validateTypeFor(type, "object", "x-kubernetes-map-type", path, errors);
  validateGivenOneOf(mapType, ["atomic", "granular"], `${path}.x-kubernetes-map-type`, errors);
}

function validateTypeFor(
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
  validateTypeFor(type, "array", "x-kubernetes-list-type", path, errors);
  if (type === "array" && listType === "set" && items !== undefined) {
    const why = "must be atomic as item of a list with x-kubernetes-list-type=set";
    if (items.type === "array" && (items.listType ?? "atomic") !== "atomic") {
      errors.push(cause.invalid(`${path}.items.x-kubernetes-list-type`, items.listType, why));
    }
    if (items.type === "object" && items.mapType !== "atomic") {
      // Real servers show the list type of the items here.
      const shown = items.listType ?? null;
      errors.push(cause.invalid(`${path}.items.x-kubernetes-map-type`, shown, why));
    }
  }
  validateGivenOneOf(listType, ["atomic", "set", "map"], `${path}.x-kubernetes-list-type`, errors);
}

function validateListKeys(schema: StructuralSchema, path: string, errors: FieldErrors): void {
  const { listType, listMapKeys, items } = schema;
  const typePath = `${path}.x-kubernetes-list-type`;
  const keysPath = `${path}.x-kubernetes-list-map-keys`;
  if (listType !== "map") {
    if (listMapKeys.length > 0) {
      const why = "must be map if x-kubernetes-list-map-keys is non-empty";
      errors.push(
        listType === undefined
          ? cause.required(typePath, why)
          : cause.invalid(typePath, listType, why),
      );
    }
    return;
  }
  if (listMapKeys.length === 0) {
    errors.push(cause.required(keysPath, "must not be empty if x-kubernetes-list-type is map"));
  }
  if (items === undefined) {
    const why = "must have a schema if x-kubernetes-list-type is map";
    errors.push(cause.required(`${path}.items`, why));
    return;
  }
  if (items.type !== "object") {
    const why = "must be object if parent array's x-kubernetes-list-type is map";
    errors.push(cause.invalid(`${path}.items.type`, items.type, why));
    return;
  }
  for (const [at, key] of listMapKeys.entries()) {
    const property = items.properties.get(key);
    if (property === undefined) {
      const why = "entries must all be names of item properties";
      errors.push(cause.invalid(keysPath, listMapKeys, why));
    } else if (property.type === "array" || property.type === "object") {
      const why = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      errors.push(cause.invalid(`${path}.items.properties[${key}].type`, items.type, why));
    }
    if (listMapKeys.indexOf(key) < at) {
      errors.push(cause.invalid(keysPath, listMapKeys, "must not contain duplicate entries"));
    }
  }
}

function validateKeyedItems(
  { listType, listMapKeys, items }: StructuralSchema,
  path: string,
  errors: FieldErrors,
): void {
  if (items === undefined || (listType !== "set" && listType !== "map")) {
    return;
  }
  if (items.nullable) {
    const why = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
    errors.push(cause.forbidden(`${path}.items.nullable`, why));
  }
  for (const key of listType === "map" ? listMapKeys : []) {
    const property = items.properties.get(key);
    const place = `${path}.items.properties[${key}]`;
    const subject = "this property is in x-kubernetes-list-map-keys, so it";
    if (property !== undefined && !items.required.includes(key) && property.default === undefined) {
      const why = `${subject} must have a default or be a required property`;
      errors.push(cause.required(`${place}.default`, why));
    }
    if (property?.nullable) {
      errors.push(cause.forbidden(`${place}.nullable`, `${subject} cannot be nullable`));
    }
  }
}

const reasons = [
  "FieldValueDuplicate",
  "FieldValueForbidden",
  "FieldValueInvalid",
  "FieldValueRequired",
];

/** Appends the errors in the form of CEL rules; their expressions are compiled once the whole schema is valid. */
function validateRules(schema: StructuralSchema, path: string, errors: FieldErrors): void {
  const rules: unknown = schema.source["x-kubernetes-validations"];
  for (const [at, rule] of (Array.isArray(rules) ? rules.filter(isJsonObject) : []).entries()) {
    const place = `${path}.x-kubernetes-validations[${at}]`;
    validateMessage(rule, place, errors);
    const { messageExpression, reason } = rule;
    if (isBlank(messageExpression)) {
      const why = "messageExpression must be non-empty if specified";
      errors.push(cause.required(`${place}.messageExpression`, why));
    }
    validateGivenOneOf(reason, reasons, `${place}.reason`, errors);
    validateFieldPath(rule, schema, `${place}.fieldPath`, errors);
  }
}

function validateMessage({ rule, message }: JsonObject, place: string, errors: FieldErrors): void {
  const text = trimSpace(String(rule ?? ""));
  if (text === "") {
    errors.push(cause.required(`${place}.rule`, "rule is not specified"));
  } else if (isBlank(message)) {
    errors.push(cause.invalid(`${place}.message`, message, "must be non-empty if specified"));
  } else if (/[\n\r]/.test(trimSpace(String(message ?? "")))) {
    errors.push(cause.invalid(`${place}.message`, message, "must not contain line breaks"));
  } else if (/[\n\r]/.test(text) && isUnset(message)) {
    const why = "message must be specified if rule contains line breaks";
    errors.push(cause.required(`${place}.message`, why));
  }
}

function validateFieldPath(
  { fieldPath }: JsonObject,
  schema: StructuralSchema,
  place: string,
  errors: FieldErrors,
): void {
  if (typeof fieldPath !== "string" || fieldPath === "") {
    return;
  }
  if (isBlank(fieldPath)) {
    errors.push(cause.invalid(place, fieldPath, "must be non-empty if specified"));
  }
  if (/[\n\r]/.test(fieldPath)) {
    errors.push(cause.invalid(place, fieldPath, "must not contain line breaks"));
  }
  if ("problem" in ruleFieldPath(fieldPath, schema)) {
    errors.push(cause.invalid(place, fieldPath, "must be a valid path"));
  }
}

function isBlank(text: unknown): boolean {
  return typeof text === "string" && text !== "" && trimSpace(text) === "";
}
