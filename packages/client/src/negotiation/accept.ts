import { mediaTypes } from "@typekube/core/internal";
import type { View } from "../response/view.js";
import type { NegotiatedVerb, WireEncoding } from "./negotiation-memory.js";

/** JSON as the less preferred alternative. */
const elseJson = `${mediaTypes.json};q=0.9`;

/**
 * Returns the Accept header for an encoding and view; JSON is always included. A CBOR watch is requested as
 * `application/cbor`: servers reject `application/cbor-seq`, the name that they respond with.
 */
export function acceptHeader(encoding: WireEncoding, view: View, verb: NegotiatedVerb): string {
  if (view === "full") {
    return encoding === "json" ? mediaTypes.json : `${mediaTypes[encoding]}, ${elseJson}`;
  }
  // Servers reject a collection requested under the wrong one of the two names, whatever alternatives follow.
  const many = verb === "list" || verb === "deletecollection";
  const as = many ? "PartialObjectMetadataList" : "PartialObjectMetadata";
  const encodings = encoding === "json" ? ["json" as const] : [encoding, "json" as const];
  return [...encodings.map((name) => viewOf(mediaTypes[name], as, "v1")), elseJson].join(", ");
}

/** Returns the Accept header for a table: the newest form first, and last the objects themselves if `orObjects` is set. */
export function tableAcceptHeader(orObjects: boolean): string {
  const tables = ["v1", "v1beta1"].map((version) => viewOf(mediaTypes.json, "Table", version));
  return [...tables, ...(orObjects ? [mediaTypes.json] : [])].join(", ");
}

function viewOf(mediaType: string, as: string, version: string): string {
  return `${mediaType};as=${as};v=${version};g=meta.k8s.io`;
}
