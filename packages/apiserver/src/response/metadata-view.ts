import { isJsonObject, type JsonObject } from "../store/json-value.js";
import type { ResponseFormat } from "./response-format.js";
import { failure, type StatusError } from "./status-errors.js";

/** The metadata-only form of an object. */
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

/** What a refusal says about the answer that was to become a view. */
export interface ViewSubject {
  /** What the server calls the type of the answer: `core.ConfigMap`. */
  readonly goKind: string;
  readonly custom: boolean;
}

/**
 * The metadata-only form of an answer, under the name that was asked for.
 *
 * @throws {StatusError} 406 when a list was asked for as an object or the other way round; for a custom resource that
 * is no list it is 500.
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
    // As Go has it: nothing is null, and in protobuf an item has no place for its kind.
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

/** The metadata of a list. No view keeps an empty `continue`, as custom resources have it, nor which shard it is. */
export function listMetadata({ metadata }: JsonObject): JsonObject {
  const kept = isJsonObject(metadata) ? metadata : {};
  return Object.fromEntries(
    Object.entries(kept).filter(([key, value]) => value !== "" && key !== "shardInfo"),
  );
}
