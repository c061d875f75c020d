import { KubeError } from "@typekube/core";
import type { HttpMethod, HttpRequest } from "@typekube/core/internal";
import { backendHeaders } from "./backend-headers.js";
import { backendPath } from "./backend-path.js";
import { type ProxyRoute, signalOf, userHeaders } from "./proxy-call.js";
import { proxyResponse } from "./proxy-response.js";

/** Methods that an API server passes on. */
const methods: readonly string[] = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];

/** Sends a request like the global `fetch`. See `HttpProxy.fetch`. */
export async function proxyFetch(
  route: ProxyRoute,
  input: Parameters<typeof globalThis.fetch>[0],
  init: RequestInit = {},
): Promise<Response> {
  const isRequest = input instanceof Request;
  const path = backendPath(isRequest ? input.url : (input as string | URL));
  // The global class knows every form of a body and of headers; the place is kept apart, because it would normalize it.
  const given = new Request(isRequest ? input : "http://backend", {
    ...init,
    ...(hasStream(init.body) ? { duplex: "half" } : {}),
  } as RequestInit);
  const method = given.method.toUpperCase();
  if (!methods.includes(method)) {
    throw new KubeError("InvalidArgument", `method: the API server passes no ${method} on`, {
      hint: `use one of ${methods.join(", ")}`,
    });
  }
  const signal = signalOf(given.signal);
  signal?.throwIfAborted();
  const body = await bodyOf(given, init.body);
  const { context, options } = route;
  const timeoutMs = options.timeoutMs ?? context.defaults.timeoutMs;
  const request: HttpRequest = {
    method: method as HttpMethod,
    path: route.base + (path.startsWith("/") ? path : `/${path}`),
    headers: { accept: "*/*", ...backendHeaders(given.headers), ...userHeaders(route) },
    body,
    mode: "stream",
    signal,
    // The response may come after the last chunk, however long that takes.
    timeoutMs: timeoutMs ?? (isWhole(body) ? undefined : 0),
    // Every response of the backend is the result, also a 503 with Retry-After.
    isRepeated: false,
  };
  return proxyResponse(context, request, await context.send(request), given.redirect);
}

function hasStream(body: unknown): boolean {
  return typeof body === "object" && body !== null && !isBytes(body);
}

function isBytes(body: unknown): boolean {
  return (
    typeof body === "string" ||
    body instanceof ArrayBuffer ||
    ArrayBuffer.isView(body) ||
    body instanceof URLSearchParams
  );
}

function isWhole(body: HttpRequest["body"]): boolean {
  return body === undefined || body instanceof Uint8Array;
}

/** Returns bytes where the caller gave all of them, else the stream. */
async function bodyOf(request: Request, given: unknown): Promise<HttpRequest["body"]> {
  if (request.body === null) {
    return undefined;
  }
  return isBytes(given)
    ? new Uint8Array(await request.arrayBuffer())
    : (request.body as unknown as AsyncIterable<Uint8Array>);
}
