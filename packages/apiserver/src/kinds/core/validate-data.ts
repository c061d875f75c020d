import type { StatusCause } from "@typekube/core";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { isJsonObject } from "../../objects/json-value.js";
import { dataKeyTexts } from "../../phases/validate/name-texts.js";

/** Maximum total size of the values of a ConfigMap or Secret, as on real servers: 1 MiB. */
const maxDataBytes = 1024 * 1024;

/** Returns the errors in the data of a ConfigMap or Secret: keys and size. */
export function validateData(storage: "configmaps" | "secrets", object: ApiObject): StatusCause[] {
  const isSecret = storage === "secrets";
  const bytes = sizeOf(object["data"], isSecret) + sizeOf(object["binaryData"], true);
  const causes = [
    ...validateKey(object["data"], "data", new Set(keysOf(object["binaryData"]))),
    ...validateKey(object["binaryData"], "binaryData"),
  ];
  if (bytes > maxDataBytes) {
    // The API names a ConfigMap as a whole by the empty path.
    causes.push(cause.tooLong(isSecret ? "data" : "[]", maxDataBytes));
  }
  return causes;
}

function validateKey(
  data: unknown,
  field: string,
  binaryKeys: ReadonlySet<string> = new Set(),
): StatusCause[] {
  return keysOf(data).flatMap((key) =>
    [
      ...dataKeyTexts(key),
      ...(binaryKeys.has(key) ? ["duplicate of key present in binaryData"] : []),
    ].map((problem) => cause.invalid(`${field}[${key}]`, key, problem)),
  );
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
