import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { isJsonObject } from "../../objects/json-value.js";
import { dataKeyTexts } from "../../phases/validate/name-texts.js";

/** Maximum total size of the values of a ConfigMap or Secret, as on real servers: 1 MiB. */
const maxDataBytes = 1024 * 1024;

/** Returns the errors in the data of a ConfigMap or Secret: keys and size. */
export function validateData(
  storage: "configmaps" | "secrets",
  object: ApiObject,
  errors: FieldErrors,
): void {
  const isSecret = storage === "secrets";
  const bytes = sizeOf(object["data"], isSecret) + sizeOf(object["binaryData"], true);
  const causes: FieldErrors = [];
  validateKey(object["data"], "data", causes, new Set(keysOf(object["binaryData"])));
  validateKey(object["binaryData"], "binaryData", causes);
  if (bytes > maxDataBytes) {
    // The API names a ConfigMap as a whole by the empty path.
    causes.push(cause.tooLong(isSecret ? "data" : "[]", maxDataBytes));
  }
  errors.push(...causes);
}

function validateKey(
  data: unknown,
  path: string,
  errors: FieldErrors,
  binaryKeys: ReadonlySet<string> = new Set(),
): void {
  for (const key of keysOf(data)) {
    for (const problem of [
      ...dataKeyTexts(key),
      ...(binaryKeys.has(key) ? ["duplicate of key present in binaryData"] : []),
    ]) {
      errors.push(cause.invalid(`${path}[${key}]`, key, problem));
    }
  }
}

function sizeOf(data: unknown, isBase64: boolean): number {
  const values = isJsonObject(data) ? Object.values(data) : [];
  return values.reduce<number>(
    (sum, value) => sum + Buffer.byteLength(String(value), isBase64 ? "base64" : "utf8"),
    0,
  );
}

function keysOf(data: unknown): string[] {
  return isJsonObject(data) ? Object.keys(data) : [];
}
