import type { JsonObject } from "../../objects/json-value.js";
import { admitVirtual } from "../../phases/decode/admit-virtual.js";
import type { Received } from "../../request/request-body.js";
import type { WriteOptions } from "../../request/write-options.js";
import type { ResourceCall } from "../calls/resource-call.js";
import { withWarnings } from "../calls/run-write.js";
import { createSubresource, handleVirtual } from "./handle-virtual.js";

/** A virtual object with the warnings about its request. */
export interface CreatedVirtual {
  readonly object: JsonObject;
  readonly warnings: readonly string[];
}

/** Handles a POST to a subresource or to a kind without stored objects. */
export async function createVirtual(
  { server, request }: ResourceCall,
  options: WriteOptions,
  received: Received,
): Promise<CreatedVirtual> {
  const { descriptor } = request.resource;
  const ofSubresource = descriptor.subresources[request.subresource];
  const wanted = ofSubresource ?? descriptor;
  const handle = ofSubresource === undefined ? handleVirtual : createSubresource;
  const warnings: string[] = [];
  const object = await withWarnings(warnings, async () => {
    const schema = await server.schemas({ descriptor: wanted, defined: undefined });
    const reading = { schema, options, warnings, patch: false };
    const given = admitVirtual(server, received.object, wanted, reading, received);
    return handle(server, request, given, options);
  });
  return { object, warnings };
}
