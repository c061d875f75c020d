import type { HttpResponse } from "@typekube/core/internal";
import { admit } from "../../phases/decode/admit.js";
import { readScale, writeScale } from "../../phases/scale/scale.js";
import { updateObject } from "../../phases/write/update-object.js";
import { readObject } from "../../request/request-body.js";
import { readWriteOptions } from "../../request/write-options.js";
import { warningHeaders } from "../../response/warnings.js";
import { beginWrite } from "../calls/begin-write.js";
import type { ResourceCall } from "../calls/resource-call.js";
import { respond } from "../calls/respond.js";
import { runAttempts } from "../calls/run-attempts.js";

/** Handles PUT: replaces an object, its status or its scale. */
export async function update(call: ResourceCall): Promise<HttpResponse> {
  const { server, request, http } = call;
  const { resource, subresource, query } = request;
  const contentType = http.headers["content-type"];
  const options = readWriteOptions(query, http.headers, "UpdateOptions");
  const write = await beginWrite(call, options, false);
  if (subresource === "scale") {
    const scale = await readScale(write, http.body, contentType);
    const shown = await runAttempts(write, () => writeScale(write, scale()));
    return respond(call, 200, shown, warningHeaders(write.warnings));
  }
  const given = await readObject(http.body, contentType, server.gates, resource);
  const { object, created } = await runAttempts(write, () =>
    updateObject(write, admit(write, given.object, given)),
  );
  return respond(call, created ? 201 : 200, object, warningHeaders(write.warnings));
}
