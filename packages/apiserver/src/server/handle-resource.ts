import type { HttpResponse } from "@typekube/core/internal";
import type { ServerContext } from "../context/server-context.js";
import { notServed } from "../errors/not-served.js";
import { StatusError } from "../errors/status-errors.js";
import type { WatchOrigin } from "../phases/watch/watch.js";
import { deprecationOf } from "../request/deprecation.js";
import type { RequestVerb, ResourceRequest } from "../request/request-info.js";
import type { WholeRequest } from "../request/whole-request.js";
import { warningHeaders } from "../response/warnings.js";
import { negotiateFormat } from "./calls/negotiate-format.js";
import type { ResourceCall } from "./calls/resource-call.js";
import { create } from "./verbs/create.js";
import { deleteMany, deleteOne } from "./verbs/delete.js";
import { patch } from "./verbs/patch.js";
import { get, list, watch } from "./verbs/read.js";
import { update } from "./verbs/update.js";

const connections = new Set(["attach", "exec", "log", "portforward", "proxy"]);

const handlers: Readonly<Record<RequestVerb, (call: ResourceCall) => Promise<HttpResponse>>> = {
  get,
  list,
  watch,
  create,
  update,
  patch,
  delete: deleteOne,
  deletecollection: deleteMany,
};

/** Handles a resource request. */
export async function handleResource(
  server: ServerContext,
  request: ResourceRequest,
  http: WholeRequest,
  signal: AbortSignal,
  origin: WatchOrigin,
): Promise<HttpResponse> {
  const deprecation = deprecationOf(request.resource);
  const handle = async () => {
    if (connections.has(request.subresource)) {
      throw notServed(request.subresource);
    }
    const format = negotiateFormat(server, request, http);
    return handlers[request.verb]({ server, request, http, format, signal, origin });
  };
  return deprecation === undefined ? handle() : withDeprecation(deprecation, handle);
}

/** Adds the warning about a deprecated version to a response or rejection. */
async function withDeprecation(
  deprecation: string,
  handle: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const response = await handle().catch((error: unknown) => {
    if (error instanceof StatusError) {
      error.warnings = [deprecation, ...error.warnings];
    }
    throw error;
  });
  const { warning } = warningHeaders([deprecation]);
  const more = response.headers["warning"];
  const all = more === undefined ? `${warning}` : `${warning}, ${more}`;
  return { ...response, headers: { ...response.headers, warning: all } };
}
