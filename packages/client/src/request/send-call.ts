import { KubeError } from "@typekube/core";
import {
  type Codec,
  callScope,
  codecs,
  type HttpMethod,
  type HttpRequest,
  type HttpResponse,
  mediaTypes,
  parseMediaType,
} from "@typekube/core/internal";
import { impersonationHeaders } from "@typekube/transport";
import { ensureOk, responseMarks } from "@typekube/transport/internal";
import { assertCallOptionNames } from "../options/any-call-options.js";
import { assertCallOptions, type CallOptions } from "../options/call-options.js";
import { type CallContext, errorOptions } from "./call-context.js";
import { eitherSignal } from "./either-signal.js";
import { type Query, withQuery } from "./query.js";
import { emitWarnings } from "./warnings.js";

/** A request of the client, before it becomes HTTP. */
export interface Call {
  readonly method: HttpMethod;
  readonly path: string;
  readonly query?: Query | undefined;
  readonly accept?: string | undefined;
  /** Additional headers, names in lower case. With `if-none-match`, a 304 without a body is a valid response too. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: { readonly bytes: Uint8Array; readonly contentType: string } | undefined;
  readonly mode?: "call" | "stream" | undefined;
  /** See {@link HttpRequest}. */
  readonly isRepeated?: boolean | undefined;
  readonly options: CallOptions;
}

/** A successful response and the codec that reads it. */
export interface CallResponse {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly codec: Codec;
}

/**
 * Sends a call. Fails unless the response is a 2xx with a known content type. The response's Content-Type selects the
 * codec, never the requested type.
 */
export async function sendCall(context: CallContext, call: Call): Promise<CallResponse> {
  const { options, body } = call;
  assertCallOptions(options);
  assertCallOptionNames(options);
  const somebody = options.impersonate ?? context.defaults.impersonate;
  const request: HttpRequest = {
    method: call.method,
    path: withQuery(call.path, call.query ?? {}),
    headers: {
      ...call.headers,
      accept: call.accept ?? mediaTypes.json,
      ...(body ? { "content-type": body.contentType } : {}),
      ...(somebody ? impersonationHeaders(somebody) : {}),
    },
    body: body?.bytes,
    mode: call.mode ?? "call",
    signal: eitherSignal(options.signal, callScope()?.signal),
    timeoutMs: options.timeoutMs ?? context.defaults.timeoutMs,
    ...(call.isRepeated === undefined ? {} : { isRepeated: call.isRepeated }),
  };
  const response = await context.send(request);
  try {
    emitWarnings(context, options, response.headers["warning"]);
  } catch (error) {
    await drop(response);
    throw error;
  }
  if (response.status === 304 && call.headers?.["if-none-match"] !== undefined) {
    await drop(response);
    return { request, response, codec: codecs.json };
  }
  await ensureOk(request, response, errorOptions(context));
  const contentType = response.headers["content-type"] ?? mediaTypes.json;
  const codec = codecs.forContentType(contentType);
  if (codec === undefined) {
    await drop(response);
    throw new KubeError(
      "Decode",
      `the server responded with ${contentType}, which this client cannot decode`,
      {
        httpStatus: response.status,
        request: { method: request.method, path: call.path, ...responseMarks(response) },
        hint: "the response may come from a proxy or load balancer, not from the API server",
      },
    );
  }
  return { request, response, codec };
}

/**
 * Fails unless the response's Content-Type is that of a watch: CBOR has one type for an object and another for a
 * stream.
 *
 * @throws {KubeError} `Decode`.
 */
export async function assertStream(reply: CallResponse, path: string): Promise<void> {
  const { request, response, codec } = reply;
  const contentType = response.headers["content-type"] ?? mediaTypes.json;
  if (parseMediaType(contentType).essence !== parseMediaType(codec.watchMediaType).essence) {
    await drop(response);
    throw new KubeError("Decode", `the server responded to a watch with ${contentType}`, {
      httpStatus: response.status,
      request: { method: request.method, path, ...responseMarks(response) },
    });
  }
}

/** Cancels a body that is not read. */
async function drop(response: HttpResponse): Promise<void> {
  await response.body[Symbol.asyncIterator]().return?.();
}
