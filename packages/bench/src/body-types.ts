/** The encodings that the canned server has. */
export type BodyEncoding = "cbor" | "json" | "protobuf";

/** The media types of objects and lists. */
export const bodyTypes: Readonly<Record<BodyEncoding, string>> = {
  cbor: "application/cbor",
  json: "application/json",
  protobuf: "application/vnd.kubernetes.protobuf",
};
