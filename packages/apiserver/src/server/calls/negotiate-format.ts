import type { HttpRequest } from "@typekube/core/internal";
import type { ServerContext } from "../../context/server-context.js";
import { formatRequestOf, negotiate } from "../../request/negotiation.js";
import type { ResourceRequest } from "../../request/request-info.js";
import type { ResponseFormat } from "../../request/response-format.js";
import { isVirtual } from "../../resources/served-resource.js";

/**
 * Returns the format of the response to a request.
 *
 * @throws {StatusError} 406 when the resource has none of the accepted formats.
 */
export function negotiateFormat(
  { gates }: ServerContext,
  { resource, subresource, verb, query }: ResourceRequest,
  { headers }: HttpRequest,
): ResponseFormat {
  // Reviews and operations on an object (eviction, token, resize) have no columns.
  const hasTables = ["", "scale", "status"].includes(subresource) && !isVirtual({ resource });
  const watchable = verb === "list" || verb === "watch";
  return negotiate(formatRequestOf(headers, query), {
    gates,
    protobuf: resource.descriptor.protobuf,
    views: hasTables ? "objects" : "metadata",
    mediaTypeCheck: resource.rules.custom ? undefined : watchable ? "watchable" : "plain",
  });
}
