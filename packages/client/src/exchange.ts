import {
  type Clock,
  type Codec,
  codecs,
  collectBytes,
  defaultLimits,
  errorFromStatus,
  type HttpMethod,
  type HttpRequest,
  type HttpResponse,
  type HttpSend,
  isStatus,
  KubeError,
  mediaTypes,
} from "@typekube/core";
import { ensureOk, parseWarnings } from "@typekube/transport";
import { raiseUnknownField, UnknownFieldSignal } from "./negotiation.js";
import type { CallOptions, ClientDefaults } from "./options.js";
import { type Query, withQuery } from "./query.js";

/** One request of the client, before it is HTTP. */
export interface Call {
  readonly method: HttpMethod;
  readonly path: string;
  readonly query?: Query | undefined;
  readonly accept?: string | undefined;
  readonly body?: { readonly bytes: Uint8Array; readonly contentType: string } | undefined;
  readonly mode?: "call" | "stream" | undefined;
  readonly options: CallOptions;
}

/** A 2xx answer and the codec that reads it. */
export interface Answer {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly codec: Codec;
}

/** What an exchange needs of a client. */
export interface Exchanging {
  readonly send: HttpSend;
  readonly defaults: ClientDefaults;
  readonly clock: Clock;
}

/**
 * Sends a call and fails unless the answer is a 2xx that can be read. The codec follows the answer's Content-Type, never
 * what was asked for.
 */
export async function exchange(context: Exchanging, call: Call): Promise<Answer> {
  const { options, body } = call;
  const request: HttpRequest = {
    method: call.method,
    path: withQuery(call.path, call.query ?? {}),
    headers: {
      accept: call.accept ?? mediaTypes.json,
      ...(body ? { "content-type": body.contentType } : {}),
    },
    body: body?.bytes,
    mode: call.mode ?? "call",
    signal: options.signal,
    timeoutMs: options.timeoutMs ?? context.defaults.timeoutMs,
  };
  const response = await context.send(request);
  tellWarnings(context, options, response);
  await ensureOk(request, response, { limits: context.defaults.limits, clock: context.clock });
  const contentType = response.headers["content-type"] ?? mediaTypes.json;
  const codec = codecs.forContentType(contentType);
  if (codec === undefined) {
    await drop(response);
    throw new KubeError("Decode", `the server answered with ${contentType}, which cannot be read`, {
      request: { method: request.method, path: call.path },
    });
  }
  return { request, response, codec };
}

function tellWarnings(context: Exchanging, options: CallOptions, response: HttpResponse): void {
  const onWarning = options.onWarning ?? context.defaults.onWarning;
  const header = response.headers["warning"];
  if (onWarning && header !== undefined) {
    for (const text of parseWarnings(header)) {
      onWarning(text);
    }
  }
}

/** Sends a call and decodes the whole body. A 2xx with a Status that says Failure fails as the Status says. */
export async function exchangeObject(context: Exchanging, call: Call): Promise<unknown> {
  const { request, response, codec } = await exchange(context, call);
  const limits = { ...defaultLimits, ...context.defaults.limits };
  try {
    const bytes = await collectBytes(response.body, limits.maxBodyBytes, "maxBodyBytes");
    const value = await codec.decode(bytes, { limits, onUnknownField: raiseUnknownField });
    if (isStatus(value) && value.status === "Failure") {
      throw errorFromStatus(value, {
        httpStatus: response.status,
        request: { method: request.method, path: call.path },
      });
    }
    return value;
  } catch (error) {
    throw located(error, request, call.path);
  }
}

/** Adds to an error from decoding which answer it was about. */
export function located(error: unknown, request: HttpRequest, path: string): unknown {
  if (
    error instanceof UnknownFieldSignal &&
    !request.headers["accept"]?.includes(mediaTypes.protobuf)
  ) {
    return new KubeError("Decode", `the server answered unasked in protobuf and ${error.message}`, {
      request: { method: request.method, path },
    });
  }
  if (error instanceof KubeError && error.request === undefined && error.code !== "Aborted") {
    return new KubeError(error.code, error.rawMessage, {
      cause: error.cause,
      hint: error.hint,
      status: error.status,
      httpStatus: error.httpStatus,
      retryAfterMs: error.retryAfterMs,
      request: { method: request.method, path },
    });
  }
  return error;
}

/** Ends a body that nobody reads. */
async function drop(response: HttpResponse): Promise<void> {
  await response.body[Symbol.asyncIterator]().return?.();
}
