import { cause, type FieldErrors } from "../../errors/field-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { type JsonObject, jsonEqual } from "../../objects/json-value.js";
import { mapOf } from "../../objects/parts.js";
import { appendInvalid } from "../../phases/validate/checks.js";
import { dataKeyTexts } from "../../phases/validate/name-texts.js";

/** Maximum total size of the values of a ConfigMap or Secret, as on real servers: 1 MiB. */
const maxDataBytes = 1024 * 1024;

/** Differences between ConfigMaps and Secrets. */
export interface DataKind {
  /** Encoding of the values in `data`. */
  readonly encoding: "base64" | "utf8";
  /** Path of the error about the total size. */
  readonly sizePath: string;
}

/** Appends the field errors of the data of a ConfigMap or Secret: keys and size. */
export function validateData(
  { encoding, sizePath }: DataKind,
  object: ApiObject,
  errors: FieldErrors,
): void {
  const data = mapOf(object["data"]);
  const binaryData = mapOf(object["binaryData"]);
  for (const key of Object.keys(data)) {
    appendInvalid(dataKeyTexts(key), key, `data[${key}]`, errors);
    if (Object.hasOwn(binaryData, key)) {
      errors.push(cause.invalid(`data[${key}]`, key, "duplicate of key present in binaryData"));
    }
  }
  for (const key of Object.keys(binaryData)) {
    appendInvalid(dataKeyTexts(key), key, `binaryData[${key}]`, errors);
  }
  if (sizeOf(data, encoding) + sizeOf(binaryData, "base64") > maxDataBytes) {
    errors.push(cause.tooLong(sizePath, maxDataBytes));
  }
}

function sizeOf(data: JsonObject, encoding: DataKind["encoding"]): number {
  return Object.values(data).reduce<number>(
    (sum, value) => sum + Buffer.byteLength(String(value), encoding),
    0,
  );
}

/** Appends errors for changes of a ConfigMap or Secret that is marked as immutable. */
export function validateImmutableData(
  object: ApiObject,
  old: ApiObject,
  errors: FieldErrors,
): void {
  for (const key of old["immutable"] === true ? ["immutable", "data", "binaryData"] : []) {
    if (!jsonEqual(object[key] ?? null, old[key] ?? null)) {
      errors.push(cause.forbidden(key, "field is immutable when `immutable` is set"));
    }
  }
}
