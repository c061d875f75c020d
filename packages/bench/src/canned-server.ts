// An API server that has its answers ready, in a process of its own: `canned-server.js <pods>`. It tells its parent the port,
// serves until the channel to the parent closes, and costs the measured process nothing but the bytes it receives.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type BodyEncoding, CannedBodies } from "./canned-bodies.js";

const collectionPath = "/api/v1/pods";
const types: Readonly<Record<BodyEncoding, string>> = {
  cbor: "application/cbor",
  json: "application/json",
  protobuf: "application/vnd.kubernetes.protobuf",
};
const watchTypes: Readonly<Record<BodyEncoding, string>> = {
  cbor: "application/cbor-seq",
  json: types.json,
  protobuf: `${types.protobuf};stream=watch`,
};
const bodies = new CannedBodies(Number(process.argv[2]));

const server = createServer((request, response) => {
  void answer(request, response).catch((error: unknown) => {
    response.writeHead(500).end(String(error));
  });
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://canned");
  const encoding = firstChoice(request.headers.accept ?? "");
  if (/^\/api\/v1\/namespaces\/[^/]+\/pods\/[^/]+$/.test(pathname)) {
    send(response, encoding, await bodies.object(encoding));
  } else if (pathname !== collectionPath) {
    response.writeHead(404).end();
  } else if (query.get("watch") === "true" || query.get("watch") === "1") {
    await answerWatch(response, encoding, query);
  } else {
    send(response, encoding, await listBody(encoding, query));
  }
}

function listBody(encoding: BodyEncoding, query: URLSearchParams): Promise<Uint8Array> {
  const limit = Number(query.get("limit"));
  // At "0" the API server answers from its cache and does not look at the limit.
  if (limit === 0 || query.get("resourceVersion") === "0") {
    return bodies.list(encoding);
  }
  const start = Number(query.get("continue"));
  return bodies.list(encoding, start, start + limit);
}

/**
 * A streaming list, or as many events as the label selector says (`events-1000`), which any client can pass on; then silence.
 */
async function answerWatch(
  response: ServerResponse,
  encoding: BodyEncoding,
  query: URLSearchParams,
): Promise<void> {
  const streaming = query.get("sendInitialEvents") === "true";
  const match = /^events-(\d+)$/.exec(query.get("labelSelector") ?? "");
  const body = streaming
    ? await bodies.streamingList(encoding)
    : match && (await bodies.events(encoding, Number(match[1])));
  response.writeHead(200, { "content-type": watchTypes[encoding] });
  // A client that waits for the headers of a quiet watch would wait for ever without this.
  response.flushHeaders();
  if (body) {
    response.write(body);
  }
}

function send(response: ServerResponse, encoding: BodyEncoding, body: Uint8Array): void {
  response
    .writeHead(200, { "content-type": types[encoding], "content-length": body.byteLength })
    .end(body);
}

function firstChoice(accept: string): BodyEncoding {
  const [first = ""] = accept.split(",", 1);
  return first.includes("protobuf") ? "protobuf" : first.includes("cbor") ? "cbor" : "json";
}

server.listen(0, "127.0.0.1", () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on("disconnect", () => process.exit());
