import { admitRequest } from "../../admission/dynamic-plugins.js";
import { virtualAttributes } from "../../admission/virtual-attributes.js";
import { internalError } from "../../errors/status-errors.js";
import type { JsonObject } from "../../objects/json-value.js";
import { mapOf } from "../../objects/parts.js";
import { admitVirtual } from "../../phases/decode/admit-virtual.js";
import { readFields } from "../../phases/decode/read-fields.js";
import type { Received } from "../../request/request-body.js";
import type { WriteOptions } from "../../request/write-options.js";
import { beginAdmission } from "../calls/begin-admission.js";
import type { ResourceCall } from "../calls/resource-call.js";
import { runAttempts, withWarnings } from "../calls/run-attempts.js";
import { type AdmitVirtual, createSubresource, handleVirtual } from "./handle-virtual.js";

/** A virtual object with the warnings about its request. */
export interface CreatedVirtual {
  readonly object: JsonObject;
  readonly warnings: readonly string[];
}

/** Handles a POST to a subresource or to a kind without stored objects. */
export async function createVirtual(
  call: ResourceCall,
  options: WriteOptions,
  received: Received,
): Promise<CreatedVirtual> {
  const { server, request } = call;
  const { descriptor } = request.resource;
  const ofSubresource = descriptor.subresources[request.subresource];
  const wanted = ofSubresource ?? descriptor;
  const handle = ofSubresource === undefined ? handleVirtual : createSubresource;
  const admission = beginAdmission(call);
  const { warnings } = admission;
  const object = await withWarnings(warnings, async () => {
    const schema = await server.schemas({ descriptor: wanted, defined: undefined });
    const reading = { schema, options, warnings, patch: false };
    const given = admitVirtual(server, received.object, wanted, reading, received);
    const readChanged = (changed: JsonObject) =>
      readFields(changed, { ...reading, warnings: [] }, undefined, { refuse: internalError });
    const admit: AdmitVirtual = (object, of = request) =>
      runAttempts(admission, () =>
        mapOf(admitRequest(admission, virtualAttributes(of, object, options), readChanged)),
      );
    return handle(server, request, given, options, admit);
  });
  return { object, warnings };
}
