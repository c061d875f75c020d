import type { HttpResponse } from "@typekube/core/internal";
import type { JsonObject } from "../../objects/json-value.js";
import { type PatchType, patchTypeOf, readPatch } from "../../phases/patch/patch-object.js";
import { readScale, readScaleApply, writeScale } from "../../phases/scale/scale.js";
import { readWriteOptions } from "../../request/write-options.js";
import { warningHeaders } from "../../response/warnings.js";
import { beginWrite, type CallWrite } from "../calls/begin-write.js";
import type { ResourceCall } from "../calls/resource-call.js";
import { respond } from "../calls/respond.js";
import { runAttempts } from "../calls/run-attempts.js";

/** Handles PATCH: changes an object, its status or its scale by a patch or an apply. */
export async function patch(call: ResourceCall): Promise<HttpResponse> {
  const { server, request, http } = call;
  const { resource, subresource, query } = request;
  const contentType = http.headers["content-type"];
  const type = patchTypeOf(contentType, server.gates, resource);
  const options = readWriteOptions(query, http.headers, "PatchOptions", type === "apply");
  const write = await beginWrite(call, options, true);
  if (subresource === "scale") {
    return patchScale(call, write, type);
  }
  const step = await readPatch(type, http.body, contentType);
  const { object, created } = await runAttempts(write, () => step(write));
  return respond(call, created ? 201 : 200, object, warningHeaders(write.warnings));
}

async function patchScale(
  call: ResourceCall,
  write: CallWrite,
  type: PatchType,
): Promise<HttpResponse> {
  const { body, headers } = call.http;
  const contentType = headers["content-type"];
  let step: () => JsonObject;
  if (type === "apply") {
    const applied = await readScaleApply(body, contentType);
    step = () => applied(write);
  } else {
    const scale = await readScale(write, body, contentType);
    step = () => writeScale(write, scale());
  }
  const shown = await runAttempts(write, step);
  return respond(call, 200, shown, warningHeaders(write.warnings));
}
