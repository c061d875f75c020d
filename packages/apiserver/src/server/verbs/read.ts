import type { HttpResponse } from "@typekube/core/internal";
import { getObject, listObjects } from "../../phases/read/read-objects.js";
import { scaleOf } from "../../phases/scale/scale.js";
import { sendWatch } from "../../phases/watch/send-watch.js";
import { openWatch } from "../../phases/watch/watch.js";
import { watchContentTypeOf } from "../../request/response-format.js";
import { streamResponse } from "../../response/responses.js";
import { withPendingCalls } from "../../time/pending-call.js";
import type { ResourceCall } from "../calls/resource-call.js";
import { respond } from "../calls/respond.js";

/** Handles GET of one object or its scale. */
export async function get(call: ResourceCall): Promise<HttpResponse> {
  const { server, request, signal } = call;
  const object =
    request.subresource === "scale"
      ? await withPendingCalls(() => scaleOf(server, request))
      : await getObject(server, request, signal);
  return respond(call, 200, object);
}

/** Handles GET of a collection. */
export async function list(call: ResourceCall): Promise<HttpResponse> {
  const { server, request, signal } = call;
  return respond(call, 200, await listObjects(server, request, signal));
}

/** Handles a watch, over HTTP or a WebSocket. */
export async function watch(call: ResourceCall): Promise<HttpResponse> {
  const { server, request, format, signal, origin } = call;
  const { body } = openWatch(server, request, format, signal, origin);
  return origin.upgrade === undefined
    ? streamResponse(watchContentTypeOf(format), body)
    : sendWatch(origin.upgrade, body, format);
}
