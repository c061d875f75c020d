import { codecs, mediaTypes } from "@typekube/core/internal";

/** An encoding that answers come in. */
export type ResponseEncoding = "cbor" | "json" | "protobuf" | "yaml";

/** How an answer is written: in which encoding, and as the object itself, its metadata only or a table. */
export interface ResponseFormat {
  readonly encoding: ResponseEncoding;
  /** `aggregated` is a form of discovery. */
  readonly view: "aggregated" | "full" | "metadata" | "metadataList" | "table";
  /** The apiVersion of the view, for what is not the object itself. */
  readonly viewVersion: "meta.k8s.io/v1" | "meta.k8s.io/v1beta1";
  /** Indent JSON. */
  readonly pretty: boolean;
}

/** What errors fall back to where they cannot come as was asked, and what `/` and `/version` are: real servers indent it. */
export const plainJson: ResponseFormat = {
  encoding: "json",
  view: "full",
  viewVersion: "meta.k8s.io/v1",
  pretty: true,
};

/** The Content-Type of one object or list. */
export function contentTypeOf({ encoding }: Pick<ResponseFormat, "encoding">): string {
  return codecs[encoding].mediaType;
}

/** The Content-Type of a watch. */
export function watchContentTypeOf({ encoding }: Pick<ResponseFormat, "encoding">): string {
  return codecs[encoding].watchMediaType;
}

/** Encodings, each with its media type. */
type ServedEncodings = readonly (readonly [ResponseEncoding, mediaType: string])[];

const servedWithoutCbor: ServedEncodings = [
  ["json", mediaTypes.json],
  ["yaml", mediaTypes.yaml],
  ["protobuf", mediaTypes.protobuf],
];
const allServed: ServedEncodings = [...servedWithoutCbor, ["cbor", mediaTypes.cbor]];

/** The encodings of a server in the order in which it lists them, each with its media type. */
export function servedEncodings(withCbor: boolean): ServedEncodings {
  return withCbor ? allServed : servedWithoutCbor;
}

const mediaTypesWithoutCbor = servedWithoutCbor.map(([, mediaType]) => mediaType);
const allMediaTypes = allServed.map(([, mediaType]) => mediaType);

/** The media types of {@link servedEncodings}. */
export function servedMediaTypes(withCbor: boolean): readonly string[] {
  return withCbor ? allMediaTypes : mediaTypesWithoutCbor;
}

/** The media types of watches, as refusals list them. There are none in YAML. */
export function watchMediaTypes(withCbor: boolean): readonly string[] {
  return [
    `${mediaTypes.json};stream=watch`,
    mediaTypes.protobufWatch,
    ...(withCbor ? [mediaTypes.cborSequence] : []),
  ];
}
