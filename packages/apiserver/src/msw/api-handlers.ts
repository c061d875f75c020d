import type { HttpMethod, HttpResponse, HttpSend } from "@typekube/core/internal";

/** The part of msw's `http` that is used: msw's own types need DOM types, which Node programs lack. */
export interface MswHttp<H> {
  all(path: string, resolver: (info: { readonly request: Request }) => Promise<Response>): H;
}

/** Options of the handlers. */
export interface ApiHandlerOptions {
  /** Address that programs connect to, such as `https://cluster.test`. Default `https://kubernetes.default.svc`. */
  readonly server?: string | undefined;
}

/**
 * Creates handlers for msw 2: an embedded server handles everything that a program sends to the address with fetch or
 * `node:http`, including watches, which end when their request's signal is aborted. WebSocket upgrades are not
 * supported.
 *
 * @param http - the `http` of msw.
 * @param api - an embedded server, or anything with the same `send`.
 *
 * @example
 * ```ts
 * const worker = setupServer(...apiHandlers(http, api));
 * worker.listen({ onUnhandledRequest: "error" });
 * ```
 */
export function apiHandlers<H>(
  http: MswHttp<H>,
  api: { readonly send: HttpSend },
  { server = "https://kubernetes.default.svc" }: ApiHandlerOptions = {},
): H[] {
  const base = server.replace(/\/+$/, "");
  const prefix = new URL(base).pathname.replace(/\/$/, "");
  return [
    http.all(`${base}/*`, async ({ request }) => {
      const { pathname, search } = new URL(request.url);
      const body = new Uint8Array(await request.arrayBuffer());
      try {
        const response = await api.send({
          method: request.method as HttpMethod,
          path: `${pathname.slice(prefix.length)}${search}`,
          headers: Object.fromEntries(request.headers),
          body: body.byteLength === 0 ? undefined : body,
          signal: request.signal,
          mode: "stream",
        });
        return toResponse(response);
      } catch {
        // A broken connection is a network error for `fetch`.
        return Response.error();
      }
    }),
  ];
}

function toResponse({ status, headers, body }: HttpResponse): Response {
  const hasBody = status !== 204 && status !== 304;
  return new Response(hasBody ? streamOf(body) : null, { status, headers });
}

function streamOf(body: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (done) {
          controller.close();
        } else {
          controller.enqueue(value);
        }
      } catch (error) {
        controller.error(error);
      }
    },
    async cancel() {
      await chunks.return?.();
    },
  });
}
