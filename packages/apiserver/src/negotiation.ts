import { codecs, mediaTypes, parseAccept, type Status } from "@typekube/core";
import { isJsonObject, type JsonObject } from "./json-value.js";
import { failure } from "./status-errors.js";
import { writeYaml } from "./yaml.js";

/** How an answer is written: in which encoding, and as the object itself, its metadata only or a table. */
export interface ResponseFormat {
  readonly encoding: "json" | "protobuf" | "yaml";
  readonly view: "full" | "metadata" | "table";
  /** Indent JSON. */
  readonly pretty: boolean;
}

/** The plain form that errors fall back to. */
export const plainJson: ResponseFormat = { encoding: "json", view: "full", pretty: false };

const encodings: Readonly<Record<string, ResponseFormat["encoding"]>> = {
  [mediaTypes.json]: "json",
  [mediaTypes.yaml]: "yaml",
  [mediaTypes.protobuf]: "protobuf",
};

const available = [mediaTypes.json, mediaTypes.yaml, mediaTypes.protobuf];

/** What can be asked for at one place. */
export interface Offer {
  readonly protobuf: boolean;
  /** Watches are possible here, which lengthens the list in the refusal. */
  readonly watchable?: boolean | undefined;
  /** Tables are made here. */
  readonly table?: boolean | undefined;
  /** The name of the metadata-only form here. */
  readonly metadataKind?: "PartialObjectMetadata" | "PartialObjectMetadataList" | undefined;
  /** What the server calls the type of the answer. */
  readonly goKind?: string | undefined;
}

/** Chooses the format of an answer by the Accept header; 406 when nothing fits. */
export function negotiate(
  accept: string | undefined,
  offer: Offer,
  pretty = false,
): ResponseFormat {
  const members = parseAccept(accept ?? "*/*");
  for (const { essence, parameters } of members) {
    const encoding = essence === "*/*" ? "json" : encodings[essence];
    if (encoding === undefined) {
      continue;
    }
    const as = parameters["as"];
    if (as === undefined) {
      if (encoding === "protobuf" && !offer.protobuf) {
        continue;
      }
      return { encoding, view: "full", pretty };
    }
    const known = parameters["g"] === "meta.k8s.io" && parameters["v"] === "v1";
    if (known && as === offer.metadataKind) {
      return { encoding, view: "metadata", pretty };
    }
    if (known && as === "Table" && offer.table && encoding !== "protobuf") {
      return { encoding, view: "table", pretty };
    }
    if (known && offer.goKind !== undefined && as?.startsWith("PartialObjectMetadata")) {
      const is = as === "PartialObjectMetadata" ? "a list" : "not a list";
      const message = `you requested ${as}, but the requested object is ${is} (*${offer.goKind})`;
      throw failure(406, "NotAcceptable", message);
    }
  }
  if (members.length === 0) {
    return { ...plainJson, pretty };
  }
  throw notAcceptable(
    members.some(({ essence }) => Object.hasOwn(encodings, essence)),
    offer,
  );
}

function notAcceptable(knownType: boolean, offer: Offer): Error {
  if (knownType) {
    const accepted = `only the following media types are accepted: ${available.join(", ")}`;
    return failure(406, "NotAcceptable", accepted);
  }
  const streams = offer.watchable
    ? [`${mediaTypes.json};stream=watch`, mediaTypes.protobufWatch]
    : [];
  const message = `406: Not Acceptable\n\nAvailable representations: ${[...available, ...streams].join(", ")}`;
  return failure(406, "NotAcceptable", message, {});
}

/** The format of an error: what was asked for if errors can be written so, else JSON. */
export function errorFormat(accept: string | undefined): ResponseFormat {
  const first = parseAccept(accept ?? "").find(({ essence }) => Object.hasOwn(encodings, essence));
  const encoding = first === undefined ? "json" : (encodings[first.essence] ?? "json");
  return { encoding, view: "full", pretty: false };
}

/** The Content-Type of one object or list. */
export function contentTypeOf({ encoding }: ResponseFormat): string {
  return encoding === "json"
    ? mediaTypes.json
    : encoding === "yaml"
      ? mediaTypes.yaml
      : mediaTypes.protobuf;
}

/** Writes one object, list or Status. */
export async function encodeBody(
  object: JsonObject | Status,
  { encoding, pretty }: ResponseFormat,
): Promise<Uint8Array> {
  switch (encoding) {
    case "json":
      return pretty ? prettyJson(await codecs.json.encode(object)) : codecs.json.encode(object);
    case "yaml":
      return writeYaml(object);
    case "protobuf":
      return codecs.protobuf.encode(object);
    default:
      return encoding satisfies never;
  }
}

function prettyJson(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  // An integer beyond 2^53 would not survive being parsed; such a body stays on one line.
  const indented = /\d{16}/.test(text) ? text : JSON.stringify(JSON.parse(text), null, 2);
  return Buffer.from(indented, "utf8");
}

/** The metadata-only form of an object. */
export function metadataOnly(object: JsonObject): JsonObject {
  return {
    kind: "PartialObjectMetadata",
    apiVersion: "meta.k8s.io/v1",
    metadata: isJsonObject(object["metadata"]) ? object["metadata"] : {},
  };
}
