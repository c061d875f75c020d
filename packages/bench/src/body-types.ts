/** Encodings that the canned server supports. */
export type BodyEncoding = "cbor" | "json" | "protobuf";

/** Media types of objects and lists. */
export const bodyTypes: Readonly<Record<BodyEncoding, string>> = {
  cbor: "application/cbor",
  json: "application/json",
  protobuf: "application/vnd.kubernetes.protobuf",
};
