import { normalized } from "../../objects/api-object.js";
import type { JsonObject } from "../../objects/json-value.js";
import type { ServedResource } from "../../resources/served-resource.js";
import { convertedTo } from "../../resources/versions/object-versions.js";
import type { AdmissionAttributes } from "../attributes.js";
import type { Match } from "./find-match.js";
import type { ReviewedRequest } from "./reviewed-request.js";

/** Returns a request with its objects in the version that a webhook or policy matches. */
export function reviewedAs(attributes: AdmissionAttributes, match: Match): ReviewedRequest {
  const { resource, object, oldObject } = attributes;
  return {
    attributes,
    match,
    object: inVersionOf(object, resource, match.resource),
    oldObject: inVersionOf(oldObject, resource, match.resource),
  };
}

/**
 * Converts an object between equivalent resources. Objects of subresources, such as a Scale, are the same in all of them.
 *
 * @param from - the resource whose version the object has.
 * @throws {PendingCall} when a webhook must convert it first.
 */
export function inVersionOf(
  object: JsonObject | undefined,
  from: ServedResource,
  to: ServedResource,
): JsonObject | undefined {
  return object === undefined || from === to || object["kind"] !== from.kind
    ? object
    : convertedTo(normalized(object), to);
}
