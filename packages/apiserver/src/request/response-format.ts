import { codecs, mediaTypes } from "@typekube/core/internal";

/** An encoding of responses. */
export type ResponseEncoding = "cbor" | "json" | "protobuf" | "yaml";

/** Format of a response: its encoding and its view (the object itself, its metadata or a table). */
export interface ResponseFormat {
  readonly encoding: ResponseEncoding;
  /** View of the object; `aggregated` applies to discovery. */
  readonly view: "aggregated" | "full" | "metadata" | "metadataList" | "table";
  /** apiVersion of the view, for views other than the object itself. */
  readonly viewVersion: "meta.k8s.io/v1" | "meta.k8s.io/v1beta1";
  /** `true` to indent JSON. */
  readonly pretty: boolean;
}

/** Fallback format of errors, and the format of `/` and `/version`, which real servers indent. */
export const plainJson: ResponseFormat = {
  encoding: "json",
  view: "full",
  viewVersion: "meta.k8s.io/v1",
  pretty: true,
};

/** Returns the Content-Type of an object or list. */
export function contentTypeOf({ encoding }: Pick<ResponseFormat, "encoding">): string {
  return codecs[encoding].mediaType;
}

/** Returns the Content-Type of a watch. */
export function watchContentTypeOf({ encoding }: Pick<ResponseFormat, "encoding">): string {
  return codecs[encoding].watchMediaType;
}

/** Encodings with their media types. */
type ServedEncodings = readonly (readonly [ResponseEncoding, mediaType: string])[];

const servedWithoutCbor: ServedEncodings = [
  ["json", mediaTypes.json],
  ["yaml", mediaTypes.yaml],
  ["protobuf", mediaTypes.protobuf],
];
const allServed: ServedEncodings = [...servedWithoutCbor, ["cbor", mediaTypes.cbor]];

/** Returns the encodings of a server with their media types, in the order in which it lists them. */
export function servedEncodings(withCbor: boolean): ServedEncodings {
  return withCbor ? allServed : servedWithoutCbor;
}

const mediaTypesWithoutCbor = servedWithoutCbor.map(([, mediaType]) => mediaType);
const allMediaTypes = allServed.map(([, mediaType]) => mediaType);

/** Returns the media types of {@link servedEncodings}. */
export function servedMediaTypes(withCbor: boolean): readonly string[] {
  return withCbor ? allMediaTypes : mediaTypesWithoutCbor;
}

/** Returns the media types of watches, as errors list them. YAML has none. */
export function watchMediaTypes(withCbor: boolean): readonly string[] {
  return [
    `${mediaTypes.json};stream=watch`,
    mediaTypes.protobufWatch,
    ...(withCbor ? [mediaTypes.cborSequence] : []),
  ];
}
