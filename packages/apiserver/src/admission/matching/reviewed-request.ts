import type { AdmissionRequest, GroupVersionResource } from "@typekube/policy";
import type { JsonObject } from "../../objects/json-value.js";
import { administrator, userInfo } from "../../objects/user.js";
import type { ServedResource } from "../../resources/served-resource.js";
import type { AdmissionAttributes } from "../attributes.js";
import type { Match } from "./find-match.js";

/** A request as one webhook or policy reviews it. */
export interface ReviewedRequest {
  readonly attributes: AdmissionAttributes;
  /** The resource that the rules match. */
  readonly match: Match;
  /** The object in the version of the match. */
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
}

/** Returns the request of an AdmissionReview, without its uid. (apiserver `CreateV1AdmissionReview`) */
export function reviewRequest(reviewed: ReviewedRequest): JsonObject {
  const { dryRun, options, ...request } = requestOf(reviewed);
  const { object = null, oldObject = null } = reviewed;
  return { ...request, object, oldObject, dryRun, options };
}

/** Returns the request of an AdmissionReview without objects, the variable `request` of expressions. */
export function requestOf({ attributes, match }: ReviewedRequest): AdmissionRequest {
  const { resource, subresource, kind, name, namespace, operation, options } = attributes;
  const { user = administrator, dryRun } = attributes;
  return {
    kind: { ...match.kind },
    resource: groupVersionResource(match.resource),
    ...(subresource === "" ? {} : { subResource: subresource }),
    requestKind: { ...kind },
    requestResource: groupVersionResource(resource),
    ...(subresource === "" ? {} : { requestSubResource: subresource }),
    ...(name === "" ? {} : { name }),
    ...(namespace === "" ? {} : { namespace }),
    operation,
    userInfo: userInfo(user),
    dryRun,
    options: options ?? null,
  };
}

function groupVersionResource({ group, version, plural }: ServedResource): GroupVersionResource {
  return { group, version, resource: plural };
}
