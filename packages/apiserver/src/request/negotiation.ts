import { mediaTypes } from "@typekube/core/internal";
import { failure, type StatusError } from "../errors/status-errors.js";
import type { FeatureGates } from "../resources/feature-gates.js";
import { type AcceptClause, acceptClauses } from "./accept-clauses.js";
import {
  plainJson,
  type ResponseEncoding,
  type ResponseFormat,
  servedEncodings,
  servedMediaTypes,
  watchMediaTypes,
} from "./response-format.js";

/** The formats that one endpoint supports. */
export interface Offer {
  readonly gates: FeatureGates;
  /** `true` when full objects are available as protobuf; metadata views always are. */
  readonly protobuf: boolean;
  /** Supported views: metadata of objects, also tables (`objects`), or aggregated discovery. */
  readonly views: "discovery" | "metadata" | "none" | "objects";
  /**
   * Set for built-in paths, which first reject unknown media types in the header; `watchable` also accepts those of
   * watches. Absent: no such check.
   */
  readonly mediaTypeCheck?: "plain" | "watchable" | undefined;
}

/** The parts of a request that determine the format of its response. */
export interface FormatRequest {
  readonly accept: string | undefined;
  /** The query parameter `pretty`. */
  readonly pretty?: string | null | undefined;
  readonly userAgent?: string | undefined;
}

/** Returns the parts of a request that determine the format of its response. */
export function formatRequestOf(
  headers: Readonly<Record<string, string>>,
  query: URLSearchParams,
): FormatRequest {
  return {
    accept: headers["accept"],
    pretty: query.get("pretty"),
    userAgent: headers["user-agent"],
  };
}

/** Chooses the response format by the Accept header; rejects with 406 when none fits. */
export function negotiate(asking: FormatRequest, offer: Offer): ResponseFormat {
  const { accept = "" } = asking;
  const { gates, mediaTypeCheck } = offer;
  const withCbor = gates.CBORServingAndStorage;
  if (mediaTypeCheck !== undefined) {
    assertKnownType(accept, withCbor, mediaTypeCheck === "watchable");
  }
  const format = choose(asking, offer);
  if (format === undefined) {
    throw onlyAccepted(servedMediaTypes(withCbor));
  }
  return format;
}

/**
 * Rejects a watch in YAML, which has no watch encoding.
 *
 * @throws {StatusError} 406.
 */
export function assertWatchable(
  { encoding }: ResponseFormat,
  { CBORServingAndStorage }: FeatureGates,
): void {
  if (encoding === "yaml") {
    throw onlyAccepted(watchMediaTypes(CBORServingAndStorage));
  }
}

/** Returns the format of an error: the requested one if it exists for plain objects, otherwise indented JSON. */
export function errorFormat(asking: FormatRequest, gates: FeatureGates): ResponseFormat {
  return choose(asking, { gates, protobuf: true, views: "none" }) ?? plainJson;
}

/** Rejects with 406 when a header accepts none of these media types, ignoring parameters. */
export function assertOneOf(accept: string, produced: readonly string[]): void {
  if (accept === "" || produced.includes(accept)) {
    return;
  }
  const members = accept.split(",").map((member) => (member.split(";")[0] ?? "").trim());
  if (!members.some((member) => member === "*/*" || produced.includes(member))) {
    const message = `406: Not Acceptable\n\nAvailable representations: ${produced.join(", ")}`;
    throw failure(406, "NotAcceptable", message, {});
  }
}

function assertKnownType(accept: string, withCbor: boolean, watchable: boolean): void {
  const plain = servedMediaTypes(withCbor);
  assertOneOf(accept, watchable ? [...plain, ...watchMediaTypes(withCbor)] : plain);
}

function onlyAccepted(types: readonly string[]): StatusError {
  const accepted = `only the following media types are accepted: ${types.join(", ")}`;
  return failure(406, "NotAcceptable", accepted);
}

function choose(asking: FormatRequest, offer: Offer): ResponseFormat | undefined {
  const { accept = "" } = asking;
  const pretty = isPretty(asking);
  if (accept === "") {
    return { ...plainJson, pretty };
  }
  for (const clause of clausesOf(accept)) {
    for (const [encoding, mediaType] of servedEncodings(offer.gates.CBORServingAndStorage)) {
      const format = covers(clause, mediaType) ? formatOf(clause, encoding, offer) : undefined;
      if (format !== undefined) {
        return { ...format, encoding, pretty: pretty || clause.parameters["pretty"] === "1" };
      }
    }
  }
  return undefined;
}

/** Cache size for parsed headers: programs send few different ones, each with every request. */
const maxKnownHeaders = 100;
const knownHeaders = new Map<string, readonly AcceptClause[]>();

function clausesOf(accept: string): readonly AcceptClause[] {
  let clauses = knownHeaders.get(accept);
  if (clauses === undefined) {
    clauses = acceptClauses(accept);
    if (knownHeaders.size >= maxKnownHeaders) {
      knownHeaders.clear();
    }
    knownHeaders.set(accept, clauses);
  }
  return clauses;
}

function covers({ type, subtype, essence }: AcceptClause, mediaType: string): boolean {
  return (
    essence === mediaType ||
    essence === "*/*" ||
    (subtype === "*" && mediaType.startsWith(`${type}/`))
  );
}

/** Returns the view that a clause requests; `undefined` when this encoding does not support it. */
function formatOf(
  { parameters }: AcceptClause,
  encoding: ResponseEncoding,
  { protobuf, views }: Offer,
): Pick<ResponseFormat, "view" | "viewVersion"> | undefined {
  const { as = "", g = "", v = "", stream = "" } = parameters;
  if (stream !== "" && (stream !== "watch" || encoding === "yaml")) {
    return undefined;
  }
  if (as === "" && g === "" && v === "") {
    const written = protobuf || encoding !== "protobuf";
    return written ? { view: "full", viewVersion: plainJson.viewVersion } : undefined;
  }
  const viewVersion = `${g}/${v}`;
  if (views === "discovery") {
    const isAggregated = as === "APIGroupDiscoveryList" && viewVersion === "apidiscovery.k8s.io/v2";
    return isAggregated ? { view: "aggregated", viewVersion: plainJson.viewVersion } : undefined;
  }
  if (
    views === "none" ||
    (viewVersion !== "meta.k8s.io/v1" && viewVersion !== "meta.k8s.io/v1beta1")
  ) {
    return undefined;
  }
  switch (as) {
    case "PartialObjectMetadata":
      return { view: "metadata", viewVersion };
    case "PartialObjectMetadataList":
      return { view: "metadataList", viewVersion };
    case "Table":
      return views === "objects" && (encoding === "json" || encoding === "yaml")
        ? { view: "table", viewVersion }
        : undefined;
    default:
      return undefined;
  }
}

/** Returns whether to indent JSON: by default for curl, Wget and browsers. */
function isPretty({ pretty, userAgent = "" }: FormatRequest): boolean {
  return pretty
    ? ["1", "t", "T", "TRUE", "true", "True"].includes(pretty)
    : /^(curl|Wget|Mozilla\/5\.0)/.test(userAgent);
}

/** Returns the media types of request bodies, as listed in a 415. */
export function bodyMediaTypes({ CBORServingAndStorage }: FeatureGates): readonly string[] {
  return servedMediaTypes(CBORServingAndStorage);
}

/** Media types of a path that supports JSON only. */
export const jsonOnly: readonly string[] = [mediaTypes.json];
