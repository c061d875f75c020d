import type { Status } from "@typekube/core";
import type { HttpRequest, HttpResponse } from "@typekube/core/internal";
import { admissionChain } from "../admission/admission-chain.js";
import { authorizeUnsafeDelete } from "../admission/authorize-write.js";
import type { ServerContext } from "../context/server-context.js";
import type { Write } from "../context/write.js";
import { notServed } from "../errors/not-served.js";
import { StatusError } from "../errors/status-errors.js";
import type { JsonObject } from "../objects/json-value.js";
import { admit } from "../phases/decode/admit.js";
import { admitVirtual } from "../phases/decode/admit-virtual.js";
import { patchTypeOf, readPatch } from "../phases/patch/patch-object.js";
import { getObject, listObjects } from "../phases/read/read-objects.js";
import { readScale, readScaleApply, scaleOf, writeScale } from "../phases/scale/scale.js";
import { sendWatch } from "../phases/watch/send-watch.js";
import { openWatch, type WatchOrigin } from "../phases/watch/watch.js";
import { createObject } from "../phases/write/create-object.js";
import { deleteCollection, deleteObject } from "../phases/write/delete-object.js";
import { updateObject } from "../phases/write/update-object.js";
import { readDeleteOptionsOf } from "../request/delete-options.js";
import { deprecationOf } from "../request/deprecation.js";
import { formatRequestOf, negotiate } from "../request/negotiation.js";
import { readDeleteOptions, readObject } from "../request/request-body.js";
import type { ResourceRequest } from "../request/request-info.js";
import { type ResponseFormat, watchContentTypeOf } from "../request/response-format.js";
import { readWriteOptions, type WriteOptions } from "../request/write-options.js";
import { isVirtual } from "../resources/served-resource.js";
import { withConversions } from "../resources/versions/pending-conversion.js";
import { readingOne } from "../resources/versions/unreadable.js";
import { metadataView, type ViewSubject } from "../response/metadata-view.js";
import { objectResponse, streamResponse } from "../response/responses.js";
import { tableOf } from "../response/table/table-of.js";
import { warningHeaders } from "../response/warnings.js";
import { createSubresource, handleVirtual } from "./virtual/handle-virtual.js";

const connections = new Set(["attach", "exec", "log", "portforward", "proxy"]);

/** Handles a resource request. */
export async function handleResource(
  server: ServerContext,
  request: ResourceRequest,
  http: HttpRequest,
  signal: AbortSignal,
  origin: WatchOrigin,
): Promise<HttpResponse> {
  const deprecation = deprecationOf(request.resource);
  if (deprecation === undefined) {
    return handle(server, request, http, signal, origin);
  }
  const response = await handle(server, request, http, signal, origin).catch((error: unknown) => {
    if (error instanceof StatusError) {
      error.warnings = [deprecation, ...error.warnings];
    }
    throw error;
  });
  const { warning } = warningHeaders([deprecation]);
  const more = response.headers["warning"];
  const all = more === undefined ? `${warning}` : `${warning}, ${more}`;
  return { ...response, headers: { ...response.headers, warning: all } };
}

async function handle(
  server: ServerContext,
  request: ResourceRequest,
  http: HttpRequest,
  signal: AbortSignal,
  origin: WatchOrigin,
): Promise<HttpResponse> {
  const { resource, subresource, verb } = request;
  if (connections.has(subresource)) {
    throw notServed(subresource);
  }
  const format = formatOf(server, request, http);
  const exchange = { server, request, format };
  switch (verb) {
    case "get": {
      const object =
        subresource === "scale"
          ? await withConversions(() => scaleOf(server, request))
          : await getObject(server, request, signal);
      return await response(exchange, 200, object);
    }
    case "list":
      return await response(exchange, 200, await listObjects(server, request, signal));
    case "watch": {
      const { body } = openWatch(server, request, format, signal, origin);
      return origin.upgrade === undefined
        ? streamResponse(watchContentTypeOf(format), body)
        : sendWatch(origin.upgrade, body, format);
    }
    case "create":
      return await create(exchange, http);
    case "update":
    case "patch":
      return await update(exchange, http);
    case "delete": {
      const body = await readDeleteOptions(http.body, http.headers["content-type"], server.gates);
      const options = readDeleteOptionsOf(request.query, body);
      if (options.ignoreReadErrors) {
        authorizeUnsafeDelete(server, request);
      }
      const warnings = resource.strategy.deleteWarnings?.(options) ?? [];
      const deleted = await warning(warnings, () =>
        readingOne(resource, () => withConversions(() => deleteObject(server, request, options))),
      );
      return await response(exchange, 200, deleted, warningHeaders(warnings));
    }
    case "deletecollection": {
      const body = await readDeleteOptions(http.body, http.headers["content-type"], server.gates);
      const options = readDeleteOptionsOf(request.query, body);
      const gone = await deleteCollection(server, request, options, signal);
      const warnings = warningHeaders(resource.strategy.deleteWarnings?.(options) ?? []);
      return await response(exchange, 200, gone, warnings);
    }
    default:
      throw new Error(`unknown verb: ${verb satisfies never}, ${resource.plural}`);
  }
}

/** A request and the format of its response. */
interface Exchange {
  readonly server: ServerContext;
  readonly request: ResourceRequest;
  readonly format: ResponseFormat;
}

function response(
  exchange: Exchange,
  status: number,
  object: JsonObject | Status,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpResponse> {
  const shown = object.kind === "Status" ? object : viewOf(exchange, object as JsonObject);
  return objectResponse(status, shown, exchange.format, headers);
}

/** Converts the response to the requested view. A write has already happened, even if the view is rejected. */
function viewOf({ server, request, format }: Exchange, object: JsonObject): JsonObject {
  switch (format.view) {
    case "aggregated":
    case "full":
      return object;
    case "table":
      return tableOf(object, request, server, format.viewVersion);
    case "metadata":
    case "metadataList":
      return metadataView(object, format, subjectOf(request));
    default:
      return format.view satisfies never;
  }
}

function subjectOf({ resource, subresource }: ResourceRequest): ViewSubject {
  const { apiVersion, kind } = resource.descriptor.subresources[subresource] ?? resource.descriptor;
  const [first = "", second] = apiVersion.split("/");
  const internal = second === undefined ? "core" : first.split(".")[0];
  return { goKind: `${internal}.${kind}`, custom: resource.rules.custom };
}

function formatOf(
  { gates }: ServerContext,
  { resource, subresource, verb, query }: ResourceRequest,
  { headers }: HttpRequest,
): ResponseFormat {
  // Reviews and operations on an object (eviction, token, resize) have no columns.
  const hasTables = ["", "scale", "status"].includes(subresource) && !isVirtual({ resource });
  const watchable = verb === "list" || verb === "watch";
  return negotiate(formatRequestOf(headers, query), {
    gates,
    protobuf: resource.descriptor.protobuf,
    views: hasTables ? "objects" : "metadata",
    mediaTypeCheck: resource.rules.custom ? undefined : watchable ? "watchable" : "plain",
  });
}

async function beginWrite(
  server: ServerContext,
  request: ResourceRequest,
  options: WriteOptions,
  patch: boolean,
): Promise<Write> {
  const { resource } = request;
  const schema = await server.schemas(resource);
  const form = await server.forms(resource);
  return { server, request, schema, form, options, warnings: [], patch, admission: admissionChain };
}

/**
 * Runs a write, discarding the warnings of attempts that are repeated after a conversion. A rejection carries the
 * warnings too.
 */
function writing<T>(write: Write, step: () => T): Promise<T> {
  const { warnings } = write;
  const before = warnings.length;
  return warning(warnings, () => withConversions(step, () => warnings.splice(before)));
}

/** Attaches the warnings so far to a rejection. */
async function warning<T>(warnings: readonly string[], step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof StatusError) {
      error.warnings = warnings;
    }
    throw error;
  }
}

async function create(exchange: Exchange, { body, headers }: HttpRequest): Promise<HttpResponse> {
  const { server, request } = exchange;
  const options = readWriteOptions(request.query, headers, "CreateOptions");
  const { resource, subresource } = request;
  const { descriptor } = resource;
  const ofSubresource = descriptor.subresources[subresource];
  const type = headers["content-type"];
  const received = await readObject(body, type, server.gates, resource, ofSubresource?.kind);
  if (ofSubresource !== undefined || isVirtual(request)) {
    const warnings: string[] = [];
    const respond = ofSubresource === undefined ? handleVirtual : createSubresource;
    const made = await warning(warnings, async () => {
      const wanted = ofSubresource ?? descriptor;
      const schema = await server.schemas({ descriptor: wanted, defined: undefined });
      const reading = { schema, options, warnings, patch: false };
      const given = admitVirtual(server, received.object, wanted, reading, received);
      return respond(server, request, given, options);
    });
    return response(exchange, 201, made, warningHeaders(warnings));
  }
  const write = await beginWrite(server, request, options, false);
  const { object } = await writing(write, () =>
    createObject(write, admit(write, received.object, received)),
  );
  return await response(exchange, 201, object, warningHeaders(write.warnings));
}

async function update(exchange: Exchange, { body, headers }: HttpRequest): Promise<HttpResponse> {
  const { server, request } = exchange;
  const { resource, verb, subresource, query } = request;
  const contentType = headers["content-type"];
  const type = verb === "patch" ? patchTypeOf(contentType, server.gates, resource) : undefined;
  const optionsKind = type === undefined ? "UpdateOptions" : "PatchOptions";
  const options = readWriteOptions(query, headers, optionsKind, type === "apply");
  const write = await beginWrite(server, request, options, type !== undefined);
  if (subresource === "scale" && type === "apply") {
    const applied = await readScaleApply(body, contentType);
    const shown = await writing(write, () => applied(write));
    return response(exchange, 200, shown, warningHeaders(write.warnings));
  }
  if (subresource === "scale") {
    const scale = await readScale(write, body, contentType);
    const shown = await writing(write, () => writeScale(write, scale()));
    return response(exchange, 200, shown, warningHeaders(write.warnings));
  }
  const step =
    type === undefined
      ? await readObject(body, contentType, server.gates, resource).then(
          (given) => (now: Write) => updateObject(now, admit(now, given.object, given)),
        )
      : await readPatch(type, body, contentType);
  const { object, created } = await writing(write, () => step(write));
  return await response(exchange, created ? 201 : 200, object, warningHeaders(write.warnings));
}
