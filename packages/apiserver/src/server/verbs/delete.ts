import type { HttpResponse } from "@typekube/core/internal";
import { authorizeUnsafeDelete } from "../../admission/authorize-write.js";
import { deleteAttributes } from "../../admission/delete-attributes.js";
import { admitRequest } from "../../admission/dynamic-plugins.js";
import {
  type AdmitDelete,
  deleteCollection,
  deleteObject,
} from "../../phases/write/delete-object.js";
import { type DeleteOptions, readDeleteOptionsOf } from "../../request/delete-options.js";
import { readDeleteOptions } from "../../request/request-body.js";
import { readingOne } from "../../resources/versions/unreadable.js";
import { warningHeaders } from "../../response/warnings.js";
import { beginAdmission, type CallAdmission } from "../calls/begin-admission.js";
import type { ResourceCall } from "../calls/resource-call.js";
import { respond } from "../calls/respond.js";
import { runAttempts } from "../calls/run-attempts.js";

/** Handles DELETE of one object. */
export async function deleteOne(call: ResourceCall): Promise<HttpResponse> {
  const { server, request } = call;
  const { resource } = request;
  const options = await readOptions(call);
  if (options.ignoreReadErrors) {
    authorizeUnsafeDelete(server, request);
  }
  const admission = beginAdmission(call);
  const { warnings } = admission;
  warnings.push(...(resource.strategy.deleteWarnings?.(options) ?? []));
  const admit = admitDelete(admission, call, options, false);
  const deleted = await readingOne(resource, () =>
    runAttempts(admission, () => deleteObject(server, request, options, admit)),
  );
  return respond(call, 200, deleted, warningHeaders(warnings));
}

/** Handles DELETE of a collection. */
export async function deleteMany(call: ResourceCall): Promise<HttpResponse> {
  const { server, request, signal } = call;
  const options = await readOptions(call);
  const warnings = [...(request.resource.strategy.deleteWarnings?.(options) ?? [])];
  const remove = (place: Parameters<typeof deleteObject>[1]) => {
    const admission = { ...beginAdmission(call), warnings };
    const admit = admitDelete(admission, call, options, true);
    return runAttempts(admission, () => deleteObject(server, place, options, admit));
  };
  const deleted = await deleteCollection(server, request, remove, signal);
  return respond(call, 200, deleted, warningHeaders(warnings));
}

function admitDelete(
  admission: CallAdmission,
  { request }: ResourceCall,
  options: DeleteOptions,
  isItem: boolean,
): AdmitDelete {
  return (old) => {
    admitRequest(admission, deleteAttributes({ request, options, old, isItem }));
  };
}

async function readOptions({ server, request, http }: ResourceCall): Promise<DeleteOptions> {
  const { body, headers } = http;
  const given = await readDeleteOptions(body, headers["content-type"], server.gates);
  return readDeleteOptionsOf(request.query, given);
}
