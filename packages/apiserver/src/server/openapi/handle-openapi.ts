import { codecs, type HttpRequest, type HttpResponse } from "@typekube/core/internal";
import type { ServerContext } from "../../context/server-context.js";
import type { JsonObject } from "../../objects/json-value.js";
import { acceptClauses } from "../../request/accept-clauses.js";
import type { SplitPath } from "../../request/request-info.js";
import { bytesResponse, textResponse } from "../../response/responses.js";
import { documentProtobuf } from "./document-protobuf.js";
import { createPublisher, type Published, type Publisher } from "./publisher.js";
import { swaggerProtobuf } from "./swagger-protobuf.js";

const json = "application/json";
/** Media types. As in kube-openapi, requests write `@` where responses have a dot; both are accepted. */
const protobuf = {
  v2: "application/com.github.proto-openapi.spec.v2.v1.0+protobuf",
  v3: "application/com.github.proto-openapi.spec.v3.v1.0+protobuf",
};
/** Cache lifetime of a document requested by its hash. */
const keepMs = 365 * 24 * 3_600_000;

const publishers = new WeakMap<ServerContext, Publisher>();
/** Cache of encoded documents: they are large, and every program requests them at startup. */
const written = new WeakMap<JsonObject, Map<string, Promise<Uint8Array>>>();

/** Serves `/openapi/v2` and `/openapi/v3`; `undefined` for any other path. */
export async function handleOpenApi(
  server: ServerContext,
  { headers }: HttpRequest,
  { segments, path, query }: SplitPath,
): Promise<HttpResponse | undefined> {
  const [first, version, ...rest] = segments;
  if (first !== "openapi" || (version !== "v2" && version !== "v3")) {
    return undefined;
  }
  if (path.endsWith("/")) {
    return version === "v3" && rest.length === 0 ? nothing(404) : undefined;
  }
  const publisher = publisherOf(server);
  if (version === "v2") {
    return rest.length === 0 ? handleSwagger(publisher, headers) : undefined;
  }
  if (rest.length === 0) {
    return index(publisher);
  }
  const name = rest.join("/");
  if (!publisher.index().has(name)) {
    return nothing(404);
  }
  const type = chosenType(headers["accept"], [json, protobuf.v3]);
  if (type === undefined) {
    return nothing(406, { vary: "Accept" });
  }
  const found = await publisher.document(name);
  const requested = { path, hash: query.get("hash"), known: headers["if-none-match"], type };
  return found && handleDocument(server, found, requested);
}

function publisherOf(server: ServerContext): Publisher {
  let publisher = publishers.get(server);
  if (publisher === undefined) {
    const { registry, version, gates } = server;
    publisher = createPublisher(registry, { version, cbor: gates.CBORServingAndStorage });
    publishers.set(server, publisher);
  }
  return publisher;
}

/** Returns the index of v3. Real servers label it as text. */
async function index(publisher: Publisher): Promise<HttpResponse> {
  const paths: JsonObject = {};
  for (const [name, hash] of [...publisher.index()].sort(([a], [b]) => (a < b ? -1 : 1))) {
    paths[name] = { serverRelativeURL: `/openapi/v3/${name}?hash=${hash}` };
  }
  const bytes = await codecs.json.encode({ paths });
  return bytesResponse(200, "text/plain; charset=utf-8", bytes);
}

/** A request for a v3 document. */
interface Requested {
  readonly path: string;
  readonly hash: string | null;
  /** ETag of the client's cached document. */
  readonly known: string | undefined;
  readonly type: string;
}

async function handleDocument(
  { clock }: ServerContext,
  { document, hash }: Published,
  requested: Requested,
): Promise<HttpResponse> {
  const { path, type } = requested;
  const common = { etag: `"${hash}"`, vary: "Accept" };
  if (requested.hash !== null && requested.hash !== "" && requested.hash !== hash) {
    // The document has changed since.
    const more = { ...common, location: `${path}?hash=${hash}` };
    return bytesResponse(301, type, new Uint8Array(0), more);
  }
  const forEver = {
    "cache-control": "public, immutable",
    expires: new Date(clock.now() + keepMs).toUTCString().replace("GMT", "UTC"),
  };
  const more = requested.hash === hash ? { ...common, ...forEver } : common;
  return requested.known === common.etag
    ? nothing(304, more)
    : bytesResponse(200, type, await bytesOf(document, type), more);
}

async function handleSwagger(
  publisher: Publisher,
  headers: HttpRequest["headers"],
): Promise<HttpResponse> {
  const vary = "Accept-Encoding, Accept";
  const type = chosenType(headers["accept"], [json, protobuf.v2]);
  if (type === undefined) {
    return nothing(406, { vary });
  }
  const { document, hash } = await publisher.swagger();
  const more = { etag: `"${hash}"`, vary };
  return headers["if-none-match"] === more.etag
    ? nothing(304, more)
    : bytesResponse(200, type, await bytesOf(document, type), more);
}

/** Returns the first type that the Accept header allows; without a header the first of all. */
function chosenType(accept: string | undefined, types: readonly string[]): string | undefined {
  if (accept === undefined || accept === "") {
    return types[0];
  }
  for (const { type, subtype } of acceptClauses(accept.replaceAll("@v1.0", ".v1.0"))) {
    const found = types.find((offered) => {
      const [ownType, ownSubtype] = offered.split("/");
      return (type === "*" || type === ownType) && (subtype === "*" || subtype === ownSubtype);
    });
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

function bytesOf(document: JsonObject, type: string): Promise<Uint8Array> {
  const known = written.get(document) ?? new Map<string, Promise<Uint8Array>>();
  written.set(document, known);
  let bytes = known.get(type);
  if (bytes === undefined) {
    bytes =
      type === json
        ? Promise.resolve(codecs.json.encode(document))
        : Promise.resolve((type === protobuf.v2 ? swaggerProtobuf : documentProtobuf)(document));
    known.set(type, bytes);
  }
  return bytes;
}

function nothing(status: number, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  const { headers: common, ...response } = textResponse(status, "");
  const { "content-type": _, "x-content-type-options": __, ...rest } = common;
  return { ...response, headers: { ...rest, ...headers } };
}
