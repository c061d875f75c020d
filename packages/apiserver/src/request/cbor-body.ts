import { codecs } from "@typekube/core/internal";
import { badRequest, type StatusError } from "../errors/status-errors.js";
import { isJsonObject, type JsonObject } from "../objects/json-value.js";
import { bodyDecoding } from "./body-nesting.js";
import { cborProblem, cborTypeOf } from "./cbor-problem.js";

/**
 * Decodes the CBOR object of a create or update.
 *
 * @throws {StatusError} 400 with the message of a real server, which additionally shows the first bytes of the body.
 */
export async function decodeCborObject(
  bytes: Uint8Array,
  kind: string,
  version: string,
): Promise<JsonObject> {
  return decode(bytes, ({ message, isInside }) =>
    badRequest(
      isInside
        ? `${kind} in version "${version}" cannot be handled as a ${kind}: ${message}`
        : `the object provided is unrecognized (must be of type ${kind}): unable to determine group/version/kind: ${message}${bytes.byteLength === 0 ? " (<empty>)" : ""}`,
    ),
  );
}

/**
 * Decodes the CBOR options of a delete.
 *
 * @throws {StatusError} 400.
 */
export async function decodeCborOptions(bytes: Uint8Array): Promise<JsonObject> {
  return decode(bytes, ({ message }) =>
    badRequest(`unable to determine group/version/kind: ${message}`),
  );
}

async function decode(
  bytes: Uint8Array,
  refuse: (problem: ReturnType<typeof cborProblem>) => StatusError,
): Promise<JsonObject> {
  let value: unknown;
  try {
    value = await codecs.cbor.decode(bytes, bodyDecoding);
  } catch (error) {
    throw refuse(cborProblem(bytes, error));
  }
  if (isJsonObject(value) || value === null) {
    return value ?? {};
  }
  const type = cborTypeOf(bytes);
  const more =
    type === "array" ? " (cannot decode CBOR array to struct without toarray option)" : "";
  const message = `cbor: cannot unmarshal ${type} into Go value of type v1.TypeMeta${more}`;
  throw refuse({ message, isInside: false });
}
