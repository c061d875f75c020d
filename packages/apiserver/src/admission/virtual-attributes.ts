import { getPath, type JsonObject } from "../objects/json-value.js";
import type { ResourceRequest } from "../request/request-info.js";
import type { WriteOptions } from "../request/write-options.js";
import type { AdmissionAttributes } from "./attributes.js";
import { kindOf } from "./matching/kind-of.js";
import { requestOptions } from "./write-attributes.js";

/** Returns the attributes of the creation of an object that is not stored, such as an Eviction or a TokenRequest. */
export function virtualAttributes(
  request: ResourceRequest,
  object: JsonObject,
  { dryRun }: Pick<WriteOptions, "dryRun">,
): AdmissionAttributes {
  const { resource, subresource, namespace, user, query } = request;
  const given = getPath(object, "metadata", "name");
  return {
    operation: "CREATE",
    resource,
    subresource,
    kind: kindOf(resource, subresource),
    name: request.name === "" && typeof given === "string" ? given : request.name,
    namespace,
    object,
    oldObject: undefined,
    options: requestOptions(query, "CREATE"),
    user,
    dryRun,
  };
}
