import { mediaTypes } from "@typekube/core/internal";
import type { FeatureGates } from "../resources/feature-gates.js";
import {
  plainJson,
  type ResponseEncoding,
  type ResponseFormat,
  servedEncodings,
  servedMediaTypes,
  watchMediaTypes,
} from "../response/response-format.js";
import { failure, type StatusError } from "../response/status-errors.js";
import { type AcceptClause, acceptClauses } from "./accept-clauses.js";

/** What can be asked for at one place. */
export interface Offer {
  readonly gates: FeatureGates;
  /** What is there is written as protobuf; metadata alone always is. */
  readonly protobuf: boolean;
  /** What else is made here: metadata alone of objects, tables of them too, or aggregated discovery. */
  readonly views: "discovery" | "metadata" | "none" | "objects";
  /**
   * A first look at the header finds the media type unknown before anything else, as for all built-in paths: `watchable`
   * ones know those of watches, too. Where it is missing there is no first look.
   */
  readonly firstLook?: "plain" | "watchable" | undefined;
}

/** Who asks, as far as it decides how the answer looks. */
export interface Asking {
  readonly accept: string | undefined;
  /** The parameter `pretty` of the URL. */
  readonly pretty?: string | null | undefined;
  readonly userAgent?: string | undefined;
}

/** Reads from a request who asks. */
export function askingOf(
  headers: Readonly<Record<string, string>>,
  query: URLSearchParams,
): Asking {
  return {
    accept: headers["accept"],
    pretty: query.get("pretty"),
    userAgent: headers["user-agent"],
  };
}

/** Chooses the format of an answer by the Accept header; 406 when nothing fits. */
export function negotiate(asking: Asking, offer: Offer): ResponseFormat {
  const { accept = "" } = asking;
  const { gates, firstLook } = offer;
  const withCbor = gates.CBORServingAndStorage;
  if (firstLook !== undefined) {
    assertKnownType(accept, withCbor, firstLook === "watchable");
  }
  const format = choose(asking, offer);
  if (format === undefined) {
    throw onlyAccepted(servedMediaTypes(withCbor));
  }
  return format;
}

/**
 * Refuses a watch in an encoding that has none: YAML.
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

/** The format of an error: what was asked for if a plain object could come so, else indented JSON. */
export function errorFormat(asking: Asking, gates: FeatureGates): ResponseFormat {
  return choose(asking, { gates, protobuf: true, views: "none" }) ?? plainJson;
}

/** 406 of a path that knows these media types only; what stands behind them in the header does not count here. */
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

function choose(asking: Asking, offer: Offer): ResponseFormat | undefined {
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

/** Programs send few different headers, and each of them with every request. */
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

/** The view that a clause asks for; `undefined` where this encoding has none such. */
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

/** People who look with curl or a browser get indented JSON unless they say otherwise. */
function isPretty({ pretty, userAgent = "" }: Asking): boolean {
  return pretty
    ? ["1", "t", "T", "TRUE", "true", "True"].includes(pretty)
    : /^(curl|Wget|Mozilla\/5\.0)/.test(userAgent);
}

/** The media types of bodies, as a 415 lists them. */
export function bodyMediaTypes({ CBORServingAndStorage }: FeatureGates): readonly string[] {
  return servedMediaTypes(CBORServingAndStorage);
}

/** The media types that a path of one encoding gives. */
export const jsonOnly: readonly string[] = [mediaTypes.json];
