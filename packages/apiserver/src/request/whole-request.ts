import type { HttpRequest } from "@typekube/core/internal";

/** A request whose body, if any, has arrived. */
export interface WholeRequest extends HttpRequest {
  readonly body?: Uint8Array | undefined;
}

/** Returns `true` when the body of a request, if any, has arrived. */
export function isWhole(request: HttpRequest): request is WholeRequest {
  return request.body === undefined || request.body instanceof Uint8Array;
}

/** Returns a request with its whole body. A listener limits and collects bodies itself; a caller in process may not. */
export async function wholeRequest(request: HttpRequest): Promise<WholeRequest> {
  if (isWhole(request)) {
    return request;
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of request.body as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
  }
  return { ...request, body: Buffer.concat(chunks) };
}
