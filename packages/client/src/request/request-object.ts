import { isStatus, KubeError } from "@typekube/core";
import {
  collectBytes,
  defaultLimits,
  errorFromStatus,
  type HttpRequest,
  type HttpResponse,
  mediaTypes,
  type Projection,
  type ReclaimedBytes,
  reclaimChunks,
  takeArrived,
} from "@typekube/core/internal";
import { responseMarks } from "@typekube/transport/internal";
import { raiseUnknownField, UnknownFieldSignal } from "../response/unknown-field.js";
import type { CallContext } from "./call-context.js";
import { type Call, type CallResponse, sendCall } from "./send-call.js";

/** Sends a call and decodes the whole body. A 2xx with a Status of `Failure` throws the error of that Status. */
export async function requestObject(context: CallContext, call: Call): Promise<unknown> {
  return decodeResponse(context, await sendCall(context, call), call.path);
}

/** Decodes the whole body of a response. */
export async function decodeResponse(
  context: CallContext,
  { request, response, codec }: CallResponse,
  path: string,
  projection?: Projection,
): Promise<unknown> {
  const own = context.defaults.limits;
  const limits = own === undefined ? defaultLimits : { ...defaultLimits, ...own };
  try {
    const bytes = await collectBytes(response.body, limits.maxBodyBytes, "maxBodyBytes");
    if (bytes.byteLength === 0) {
      throw emptyBody(response);
    }
    const value = await codec.decode(bytes, {
      limits,
      projection,
      onUnknownField: raiseUnknownField,
    });
    if (isStatus(value) && value.status === "Failure") {
      throw errorFromStatus(value, {
        httpStatus: response.status,
        redactErrors: context.defaults.redactErrors,
        request: { method: request.method, path, ...responseMarks(response) },
      });
    }
    return value;
  } catch (error) {
    throw located(error, request, path);
  }
}

/** Returns the bytes of a body; fails when there are none. */
export function nonEmptyBody(response: HttpResponse): ReclaimedBytes {
  return {
    reclaimChunks: () => reclaimChunks(response.body),
    takeArrived: () => takeArrived(response.body),
    [Symbol.asyncIterator]: () => nonEmptyChunks(response),
  };
}

async function* nonEmptyChunks(
  response: HttpResponse,
): AsyncGenerator<Uint8Array, void, undefined> {
  let isEmpty = true;
  for await (const chunk of response.body) {
    isEmpty &&= chunk.byteLength === 0;
    yield chunk;
  }
  if (isEmpty) {
    throw emptyBody(response);
  }
}

function emptyBody({ status, headers }: HttpResponse): KubeError {
  const contentType = headers["content-type"] ?? "no content type";
  return new KubeError(
    "Decode",
    `the server responded with HTTP ${status}, ${contentType} and an empty body`,
    { httpStatus: status },
  );
}

/** Adds the request to an error from decoding its response. */
export function located(error: unknown, request: HttpRequest, path: string): unknown {
  if (
    error instanceof UnknownFieldSignal &&
    !request.headers["accept"]?.includes(mediaTypes.protobuf)
  ) {
    return new KubeError(
      "Decode",
      `the server responded in protobuf, which was not requested, and ${error.message}`,
      {
        request: { method: request.method, path },
      },
    );
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
