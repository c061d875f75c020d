import type { JsonObject } from "../../objects/json-value.js";
import { administrator, userInfo } from "../../objects/user.js";
import type { ServedResource } from "../../resources/served-resource.js";
import type { AdmissionAttributes } from "../attributes.js";
import type { Match } from "./find-match.js";

/** A request as one webhook reviews it. */
export interface ReviewedRequest {
  readonly attributes: AdmissionAttributes;
  /** The resource that the webhook's rules match. */
  readonly match: Match;
  /** The object in the version of the match. */
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
}

/** Returns the request of an AdmissionReview, without its uid. (apiserver `CreateV1AdmissionReview`) */
export function reviewRequest({
  attributes,
  match,
  object,
  oldObject,
}: ReviewedRequest): JsonObject {
  const { resource, subresource, kind, name, namespace, operation, options } = attributes;
  const { user = administrator, dryRun } = attributes;
  return {
    kind: { ...match.kind },
    resource: groupVersionResource(match.resource),
    ...unlessEmpty("subResource", subresource),
    requestKind: { ...kind },
    requestResource: groupVersionResource(resource),
    ...unlessEmpty("requestSubResource", subresource),
    ...unlessEmpty("name", name),
    ...unlessEmpty("namespace", namespace),
    operation,
    userInfo: userInfo(user),
    object: object ?? null,
    oldObject: oldObject ?? null,
    dryRun,
    options: options ?? null,
  };
}

function groupVersionResource({ group, version, plural }: ServedResource): JsonObject {
  return { group, version, resource: plural };
}

function unlessEmpty(key: string, text: string): JsonObject {
  return text === "" ? {} : { [key]: text };
}
