import type { Status } from "@typekube/core";
import type { HttpResponse } from "@typekube/core/internal";
import type { JsonObject } from "../../objects/json-value.js";
import type { ResourceRequest } from "../../request/request-info.js";
import { metadataView, type ViewSubject } from "../../response/metadata-view.js";
import { objectResponse } from "../../response/responses.js";
import { tableOf } from "../../response/table/table-of.js";
import type { ResourceCall } from "./resource-call.js";

/** Returns the response of a call with an object, in the requested view and format. */
export function respond(
  call: ResourceCall,
  status: number,
  object: JsonObject | Status,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpResponse> {
  const shown = object.kind === "Status" ? object : viewOf(call, object as JsonObject);
  return objectResponse(status, shown, call.format, headers);
}

/** Converts the response to the requested view. A write has already happened, even if the view is rejected. */
function viewOf({ server, request, format }: ResourceCall, object: JsonObject): JsonObject {
  switch (format.view) {
    case "aggregated":
    case "full":
      return object;
    case "table":
      return tableOf(object, request, server, format.viewVersion);
    case "metadata":
    case "metadataList":
      return metadataView(object, format, subjectOf(request));
    default:
      return format.view satisfies never;
  }
}

function subjectOf({ resource, subresource }: ResourceRequest): ViewSubject {
  const { apiVersion, kind } = resource.descriptor.subresources[subresource] ?? resource.descriptor;
  const [first = "", second] = apiVersion.split("/");
  const internal = second === undefined ? "core" : first.split(".")[0];
  return { goKind: `${internal}.${kind}`, custom: resource.rules.custom };
}
