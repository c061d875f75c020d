import assert from "node:assert/strict";
import { contextOf } from "@typekube/client/internal";
import type { Status } from "@typekube/core";
import { codecs, collectBytes, type HttpMethod } from "@typekube/core/internal";
import type { ConformanceContext } from "../conformance-case.js";

/** A raw request, for what the client's own interface does not offer. */
export interface RawRequest {
  readonly method?: HttpMethod;
  readonly path: string;
  readonly accept?: string;
  readonly contentType?: string;
  readonly userAgent?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Strings and bytes are sent unchanged, other values as JSON. */
  readonly body?: unknown;
}

/** A response whose body was read completely. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
  readonly text: string;
  /** Returns the body parsed as JSON. */
  json<T = Record<string, unknown>>(): T;
}

const maxBytes = 64 * 1024 * 1024;

/** Sends a request through the client's context and reads the whole response. */
export async function rawRequest(
  { client, signal }: Pick<ConformanceContext, "client" | "signal">,
  { method = "GET", path, accept, contentType, userAgent, headers = {}, body }: RawRequest,
): Promise<RawResponse> {
  const type = contentType ?? (body === undefined ? undefined : "application/json");
  const response = await contextOf(client).send({
    method,
    path,
    headers: {
      accept: accept ?? "application/json",
      ...(type === undefined ? {} : { "content-type": type }),
      ...(userAgent === undefined ? {} : { "user-agent": userAgent }),
      ...headers,
    },
    body: await bodyBytes(body),
    mode: "call",
    signal,
  });
  const bytes = await collectBytes(response.body, maxBytes, "maxBodyBytes");
  const text = new TextDecoder().decode(bytes);
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    text,
    json: <T>() => JSON.parse(text) as T,
  };
}

async function bodyBytes(body: unknown): Promise<Uint8Array | undefined> {
  if (body === undefined || body instanceof Uint8Array) {
    return body;
  }
  return typeof body === "string" ? new TextEncoder().encode(body) : codecs.json.encode(body);
}

/** Sends a request that the server must reject, and compares the Status. */
export async function expectRefusal(
  context: Pick<ConformanceContext, "client" | "signal">,
  request: RawRequest,
  expected: Omit<Status, "message"> & { readonly message?: RegExp | string },
): Promise<Status> {
  const response = await rawRequest(context, request);
  const status = response.json<Status>();
  const { message, ...rest } = expected;
  const seen = Object.fromEntries(
    Object.keys(rest).map((key) => [key, status[key as keyof Status]]),
  );
  assert.deepEqual(
    { http: response.status, ...seen },
    { http: expected.code, ...rest },
    response.text,
  );
  if (message instanceof RegExp) {
    assert.match(status.message ?? "", message);
  } else if (message !== undefined) {
    assert.equal(status.message, message);
  }
  return status;
}
