// An API server with prepared responses, in its own process: `canned-server.js <pods>`. It sends its ports to its
// parent and serves until the channel to the parent closes. The measured process pays only for the bytes it receives.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { type BodyEncoding, bodyTypes } from "./body-types.js";
import { CannedBodies } from "./canned-bodies.js";
import { certificates } from "./certificates.js";

const collectionPath = "/api/v1/pods";
const watchTypes: Readonly<Record<BodyEncoding, string>> = {
  cbor: "application/cbor-seq",
  json: bodyTypes.json,
  protobuf: `${bodyTypes.protobuf};stream=watch`,
};
const bodies = new CannedBodies(Number(process.argv[2]));

const listener = (request: IncomingMessage, response: ServerResponse): void => {
  void reply(request, response).catch((error: unknown) => {
    response.writeHead(500).end(String(error));
  });
};
const server = createServer(listener);
const secureServer = createSecureServer(
  { cert: readFileSync(certificates.cert), key: readFileSync(certificates.key) },
  listener,
);

async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://canned");
  const encoding = firstChoice(request.headers.accept ?? "");
  if (request.method === "POST" || request.method === "PATCH") {
    // Reads a written body to its end and responds with a pod, as a server would.
    for await (const _ of request);
    send(response, encoding, await bodies.object(encoding), request.method === "POST" ? 201 : 200);
  } else if (/^\/api\/v1\/namespaces\/[^/]+\/pods\/[^/]+$/.test(pathname)) {
    send(response, encoding, await bodies.object(encoding));
  } else if (pathname !== collectionPath) {
    response.writeHead(404).end();
  } else if (query.get("watch") === "true" || query.get("watch") === "1") {
    await serveWatch(response, encoding, query);
  } else {
    send(response, encoding, await listBody(encoding, query));
  }
}

function listBody(encoding: BodyEncoding, query: URLSearchParams): Promise<Uint8Array> {
  if (eventsOf(query) !== undefined) {
    return bodies.emptyList(encoding);
  }
  const limit = Number(query.get("limit"));
  // At "0" the API server serves the list from its cache and ignores the limit.
  if (limit === 0 || query.get("resourceVersion") === "0") {
    return bodies.list(encoding);
  }
  const start = Number(query.get("continue"));
  return bodies.list(encoding, start, start + limit);
}

/**
 * Sends a streaming list, or the number of events in the label selector (`events-1000`), which any client can pass on;
 * then nothing more. A list with such a selector is empty, so that an informer receives only the events.
 */
async function serveWatch(
  response: ServerResponse,
  encoding: BodyEncoding,
  query: URLSearchParams,
): Promise<void> {
  const streaming = query.get("sendInitialEvents") === "true";
  const events = eventsOf(query);
  const parts = [
    ...(streaming
      ? [events === undefined ? bodies.streamingList(encoding) : bodies.initialEventsEnd(encoding)]
      : []),
    ...(events === undefined ? [] : [bodies.events(encoding, events)]),
  ];
  // Prepares every body before the response starts.
  const made = await Promise.all(parts);
  response.writeHead(200, { "content-type": watchTypes[encoding] });
  // Otherwise a client that waits for the headers of a quiet watch would wait indefinitely.
  response.flushHeaders();
  for (const part of made) {
    response.write(part);
  }
}

function eventsOf(query: URLSearchParams): number | undefined {
  const match = /^events-(\d+)$/.exec(query.get("labelSelector") ?? "");
  return match ? Number(match[1]) : undefined;
}

function send(
  response: ServerResponse,
  encoding: BodyEncoding,
  body: Uint8Array,
  status = 200,
): void {
  response
    .writeHead(status, { "content-type": bodyTypes[encoding], "content-length": body.byteLength })
    .end(body);
}

function firstChoice(accept: string): BodyEncoding {
  const [first = ""] = accept.split(",", 1);
  return first.includes("protobuf") ? "protobuf" : first.includes("cbor") ? "cbor" : "json";
}

await Promise.all([listen(server), listen(secureServer)]);
process.send?.({ port: portOf(server), securePort: portOf(secureServer) });
process.on("disconnect", () => process.exit());

async function listen(server: Server): Promise<void> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
