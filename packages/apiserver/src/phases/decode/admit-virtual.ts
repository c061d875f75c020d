import type { ServerContext } from "../../context/server-context.js";
import type { JsonObject } from "../../objects/json-value.js";
import { assertKind, type WantedKind } from "../../request/assert-kind.js";
import { type FieldReading, type Provenance, readFields } from "./read-fields.js";

/** Validates kind and fields of a body for a subresource or a kind that is not stored. */
export function admitVirtual(
  server: ServerContext,
  body: JsonObject,
  wanted: WantedKind,
  reading: FieldReading,
  provenance: Provenance,
): JsonObject {
  assertKind(body, wanted, server.registry, provenance.refuse);
  const { apiVersion = wanted.apiVersion, kind = wanted.kind, ...fields } = body;
  const whole = { apiVersion, kind, ...fields };
  return readFields(whole, reading, undefined, provenance);
}
