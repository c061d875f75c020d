import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { KubeError } from "@typekube/core";

/** A request to a listener. */
export interface PlainRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
}

/** A response, whole. */
export interface PlainResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body: Uint8Array | string;
}

/** Responds to a request; `undefined` leaves it to the next route. */
export type Route = (
  request: PlainRequest,
) => PlainResponse | Promise<PlainResponse | undefined> | undefined;

/** Address of a listener. */
export interface ListenerAddress {
  readonly port: number;
  readonly host: string | undefined;
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
}

/** Called with the error of a route, which responses don't contain. */
export type OnRouteError = (path: string, error: unknown) => void;

/** An open port. */
export interface HttpListener {
  readonly port: number;
  /** Waits for the responses in progress and closes the port. */
  close(): Promise<void>;
}

/** Milliseconds for the headers of a request, and of an idle connection. (controller-runtime `pkg/internal/httpserver`) */
const headersTimeoutMs = 32_000;
const idleTimeoutMs = 90_000;

const plainText = { "content-type": "text/plain; charset=utf-8" };

/** Returns a response of text. */
export function textResponse(status: number, body: string): PlainResponse {
  return { status, headers: { ...plainText, "x-content-type-options": "nosniff" }, body };
}

/**
 * Opens a port that answers GET and HEAD by the first of its routes that responds, and 404 otherwise.
 *
 * @throws {KubeError} `Config` when the port cannot be opened.
 */
export async function listenHttp(
  { port, host, tls }: ListenerAddress,
  routes: readonly Route[],
  onError: OnRouteError,
): Promise<HttpListener> {
  const going = new Set<Promise<void>>();
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    const answered = answer(routes, request, response, onError).finally(() =>
      going.delete(answered),
    );
    going.add(answered);
  };
  const server = await createListener(tls, onRequest);
  server.headersTimeout = headersTimeoutMs;
  server.keepAliveTimeout = idleTimeoutMs;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) =>
      reject(
        new KubeError("Config", `cannot listen on port ${port}: ${error.message}`, {
          hint: "choose another port; 0 is a free one",
          cause: error,
        }),
      ),
    );
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.all(going);
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Creates the server. Node's modules are imported only here: they take a quarter of the time of the controllers' import. */
async function createListener(
  tls: ListenerAddress["tls"],
  onRequest: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Server> {
  try {
    return tls === undefined
      ? (await import("node:http")).createServer(onRequest)
      : (await import("node:https")).createServer(tls, onRequest);
  } catch (error) {
    throw new KubeError("Config", `tls: ${(error as Error).message}`, {
      hint: "a certificate and its key in PEM",
      cause: error,
    });
  }
}

async function answer(
  routes: readonly Route[],
  request: IncomingMessage,
  response: ServerResponse,
  onError: OnRouteError,
): Promise<void> {
  const { status, headers, body } = await respond(routes, request, onError);
  const isHead = request.method === "HEAD";
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
  await new Promise<void>((resolve) => {
    response.once("close", resolve);
    response.end(isHead ? undefined : body, () => resolve());
  });
}

async function respond(
  routes: readonly Route[],
  request: IncomingMessage,
  onError: OnRouteError,
): Promise<PlainResponse> {
  if (request.method !== "GET" && request.method !== "HEAD") {
    return textResponse(405, "method not allowed\n");
  }
  const base = "http://localhost";
  const url = request.url ?? "/";
  if (!URL.canParse(url, base)) {
    return textResponse(400, "bad request\n");
  }
  const { pathname: path, searchParams: query } = new URL(url, base);
  try {
    for (const route of routes) {
      const response = await route({ path, query, headers: request.headers });
      if (response !== undefined) {
        return response;
      }
    }
    return textResponse(404, "404 page not found\n");
  } catch (error) {
    onError(path, error);
    return textResponse(500, "internal server error\n");
  }
}
