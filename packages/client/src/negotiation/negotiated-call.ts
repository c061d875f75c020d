import { KubeError } from "@typekube/core";
import { assertOptionValues, markProjected, type Projection } from "@typekube/core/internal";
import { type EncodingOptions, encodingOptions } from "../options/encoding-options.js";
import type { CallContext } from "../request/call-context.js";
import { decodeResponse, located } from "../request/request-object.js";
import { type Call, type CallResponse, sendCall } from "../request/send-call.js";
import { noteCreated } from "../response/created.js";
import { isList, withItemKinds } from "../response/object-list.js";
import { UnknownFieldSignal } from "../response/unknown-field.js";
import { viewedList, viewedObject } from "../response/view.js";
import { acceptHeader } from "./accept.js";
import type {
  NegotiatedVerb,
  NegotiationMemory,
  NegotiationSubject,
} from "./negotiation-memory.js";
import type { BodyWriter } from "./request-body.js";

/** The parts of a client that a call with a choice of encodings needs. */
export interface NegotiatingContext extends CallContext {
  readonly memory: NegotiationMemory;
}

/** A call on a resource whose encodings are chosen when it is sent. */
export interface NegotiatedCall extends Omit<Call, "accept" | "body">, NegotiationSubject {
  readonly verb: NegotiatedVerb;
  readonly body?: BodyWriter | undefined;
  /** Fields to keep of the object. */
  readonly projection?: Projection | undefined;
  readonly options: EncodingOptions;
}

/**
 * Sends a call in the encodings that its options, the client's defaults and the negotiation memory select. When the
 * server rejects an encoding (406 for the response, 415 for the body), the client stops using it for the resource and
 * sends the call again as JSON. A rejection of JSON is thrown. Response and body encodings are independent.
 */
export async function sendNegotiatedCall(
  context: NegotiatingContext,
  call: NegotiatedCall,
): Promise<CallResponse> {
  const { memory, defaults } = context;
  const wanted = call.options.encoding ?? defaults.encoding ?? "auto";
  assertOptionValues({ encoding: wanted }, encodingOptions);
  for (;;) {
    const encoding = memory.responseEncoding(call, call.verb, wanted);
    const body = await call.body?.(memory.requestEncoding(call, wanted));
    const accept = acceptHeader(encoding, call.view, call.verb);
    try {
      return await sendCall(context, { ...call, accept, body });
    } catch (error) {
      const httpStatus = error instanceof KubeError ? error.httpStatus : undefined;
      if (httpStatus === 406 && encoding !== "json") {
        memory.refuse(call, "responses", encoding, "NotAcceptable");
      } else if (httpStatus === 415 && body !== undefined && body.encoding !== "json") {
        memory.refuse(call, "requests", body.encoding, "UnsupportedMediaType");
      } else {
        throw error;
      }
    }
  }
}

/**
 * Sends a call like {@link sendNegotiatedCall}, decodes the response and reduces it to the call's view. When protobuf
 * would lose a field, reads again as JSON.
 */
export async function requestNegotiatedObject(
  context: NegotiatingContext,
  call: NegotiatedCall,
): Promise<unknown> {
  for (;;) {
    const response = await sendNegotiatedCall(context, call);
    try {
      const { path, projection } = call;
      const value = viewed(await decodeResponse(context, response, path, projection), call);
      if (projection !== undefined) {
        markProjected(value as object, projection);
      }
      if (call.method === "PATCH" && response.response.status === 201) {
        noteCreated(value);
      }
      return value;
    } catch (error) {
      if (!(error instanceof UnknownFieldSignal)) {
        throw located(error, response.request, call.path);
      }
      context.memory.refuse(call, "responses", "protobuf", "UnknownField");
    }
  }
}

/**
 * Reduces a decoded response to the call's view. Only a deleteCollection may return a list here; an object of a custom
 * kind may have items.
 */
function viewed(value: unknown, { verb, view }: NegotiatedCall): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new KubeError("Decode", "the response body is not an object");
  }
  return verb === "deletecollection" && isList(value)
    ? viewedList(withItemKinds(value), view)
    : viewedObject(value, view);
}
