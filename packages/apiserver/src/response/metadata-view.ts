import { failure, type StatusError } from "../errors/status-errors.js";
import { isJsonObject, type JsonObject } from "../objects/json-value.js";
import type { ResponseFormat } from "../request/response-format.js";

/** Returns an object as PartialObjectMetadata. */
export function metadataOnly(
  object: JsonObject,
  apiVersion: ResponseFormat["viewVersion"] = "meta.k8s.io/v1",
): JsonObject {
  return {
    kind: "PartialObjectMetadata",
    apiVersion,
    metadata: isJsonObject(object["metadata"]) ? object["metadata"] : {},
  };
}

/** Type information for errors about a response that can't be converted to a view. */
export interface ViewSubject {
  /** Go type of the response: `core.ConfigMap`. */
  readonly goKind: string;
  readonly custom: boolean;
}

/**
 * Converts a response to the requested metadata view.
 *
 * @throws {StatusError} 406 when a list is requested as an object or vice versa; 500 for a custom resource that is not
 * a list.
 */
export function metadataView(
  object: JsonObject,
  { view, viewVersion, encoding }: ResponseFormat,
  subject: ViewSubject,
): JsonObject {
  const { items } = object;
  if (!Array.isArray(items)) {
    if (view === "metadataList") {
      throw notAList(subject);
    }
    return metadataOnly(object, viewVersion);
  }
  if (view === "metadata") {
    const goKind = subject.custom ? "unstructured.UnstructuredList" : `${subject.goKind}List`;
    const message = `you requested PartialObjectMetadata, but the requested object is a list (*${goKind})`;
    throw failure(406, "NotAcceptable", message);
  }
  const shown = items.map((item: JsonObject) => metadataOnly(item, viewVersion));
  return {
    kind: "PartialObjectMetadataList",
    apiVersion: viewVersion,
    metadata: listMetadata(object),
    // Like Go: an empty list is null, and protobuf items have no kind.
    items:
      shown.length === 0
        ? null
        : encoding === "protobuf"
          ? shown.map(({ metadata }) => ({ metadata }))
          : shown,
  };
}

function notAList({ goKind, custom }: ViewSubject): StatusError {
  return custom
    ? failure(500, undefined, "content is not a list")
    : failure(
        406,
        "NotAcceptable",
        `you requested PartialObjectMetadataList, but the requested object is not a list (*${goKind})`,
      );
}

/**
 * Returns the metadata of a list for a view, without an empty `continue`, which custom resources have, and without the
 * shard.
 */
export function listMetadata({ metadata }: JsonObject): JsonObject {
  const kept = isJsonObject(metadata) ? metadata : {};
  return Object.fromEntries(
    Object.entries(kept).filter(([key, value]) => value !== "" && key !== "shardInfo"),
  );
}
