import type { HttpResponse } from "@typekube/core/internal";
import { authorizeUnsafeDelete } from "../../admission/authorize-write.js";
import { deleteCollection, deleteObject } from "../../phases/write/delete-object.js";
import { type DeleteOptions, readDeleteOptionsOf } from "../../request/delete-options.js";
import { readDeleteOptions } from "../../request/request-body.js";
import { withConversions } from "../../resources/versions/pending-conversion.js";
import { readingOne } from "../../resources/versions/unreadable.js";
import { warningHeaders } from "../../response/warnings.js";
import type { ResourceCall } from "../calls/resource-call.js";
import { respond } from "../calls/respond.js";
import { withWarnings } from "../calls/run-write.js";

/** Handles DELETE of one object. */
export async function deleteOne(call: ResourceCall): Promise<HttpResponse> {
  const { server, request } = call;
  const { resource } = request;
  const options = await readOptions(call);
  if (options.ignoreReadErrors) {
    authorizeUnsafeDelete(server, request);
  }
  const warnings = resource.strategy.deleteWarnings?.(options) ?? [];
  const deleted = await withWarnings(warnings, () =>
    readingOne(resource, () => withConversions(() => deleteObject(server, request, options))),
  );
  return respond(call, 200, deleted, warningHeaders(warnings));
}

/** Handles DELETE of a collection. */
export async function deleteMany(call: ResourceCall): Promise<HttpResponse> {
  const { server, request, signal } = call;
  const options = await readOptions(call);
  const deleted = await deleteCollection(server, request, options, signal);
  const warnings = request.resource.strategy.deleteWarnings?.(options) ?? [];
  return respond(call, 200, deleted, warningHeaders(warnings));
}

async function readOptions({ server, request, http }: ResourceCall): Promise<DeleteOptions> {
  const { body, headers } = http;
  const given = await readDeleteOptions(body, headers["content-type"], server.gates);
  return readDeleteOptionsOf(request.query, given);
}
