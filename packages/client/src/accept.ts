import { mediaTypes } from "@typekube/core/internal";
import type { NegotiatedVerb, WireEncoding } from "./negotiation.js";
import type { View } from "./view.js";

/** JSON as the second choice. */
const elseJson = `${mediaTypes.json};q=0.9`;

/**
 * The Accept header that asks for an encoding of a view; JSON is always in it. A watch in CBOR is asked for as
 * `application/cbor`: servers refuse the name that they answer with, `application/cbor-seq`.
 */
export function acceptHeader(encoding: WireEncoding, view: View, verb: NegotiatedVerb): string {
  if (view === "full") {
    return encoding === "json" ? mediaTypes.json : `${mediaTypes[encoding]}, ${elseJson}`;
  }
  // A list that is asked for under the other name is refused, whatever stands behind it.
  const many = verb === "list" || verb === "deletecollection";
  const as = many ? "PartialObjectMetadataList" : "PartialObjectMetadata";
  const encodings = encoding === "json" ? ["json" as const] : [encoding, "json" as const];
  return [...encodings.map((name) => viewOf(mediaTypes[name], as, "v1")), elseJson].join(", ");
}

/** The Accept header for a table: the newest form first, and the objects themselves unless a table must be. */
export function tableAcceptHeader(orObjects: boolean): string {
  const tables = ["v1", "v1beta1"].map((version) => viewOf(mediaTypes.json, "Table", version));
  return [...tables, ...(orObjects ? [mediaTypes.json] : [])].join(", ");
}

function viewOf(mediaType: string, as: string, version: string): string {
  return `${mediaType};as=${as};v=${version};g=meta.k8s.io`;
}
