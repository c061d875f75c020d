import type { HttpResponse } from "@typekube/core/internal";
import { admit } from "../../phases/decode/admit.js";
import { createObject } from "../../phases/write/create-object.js";
import { readObject } from "../../request/request-body.js";
import { readWriteOptions } from "../../request/write-options.js";
import { isVirtual } from "../../resources/served-resource.js";
import { warningHeaders } from "../../response/warnings.js";
import { beginWrite } from "../calls/begin-write.js";
import type { ResourceCall } from "../calls/resource-call.js";
import { respond } from "../calls/respond.js";
import { runAttempts } from "../calls/run-attempts.js";
import { createVirtual } from "../virtual/create-virtual.js";

/** Handles POST: creates an object, or a virtual one such as a review or an eviction. */
export async function create(call: ResourceCall): Promise<HttpResponse> {
  const { server, request, http } = call;
  const { resource, subresource } = request;
  const options = readWriteOptions(request.query, http.headers, "CreateOptions");
  const wanted = resource.descriptor.subresources[subresource];
  const type = http.headers["content-type"];
  const received = await readObject(http.body, type, server.gates, resource, wanted?.kind);
  if (wanted !== undefined || isVirtual(request)) {
    const { object, warnings } = await createVirtual(call, options, received);
    return respond(call, 201, object, warningHeaders(warnings));
  }
  const write = await beginWrite(call, options, false);
  const { object } = await runAttempts(write, () =>
    createObject(write, admit(write, received.object, received)),
  );
  return respond(call, 201, object, warningHeaders(write.warnings));
}
