import type { Status } from "@typekube/core";
import { type HttpRequest, type HttpResponse, mediaTypes } from "@typekube/core";
import { admit } from "./admit.js";
import { deleteCollection, deleteObject } from "./delete-object.js";
import { readDeleteOptionsOf } from "./delete-options.js";
import type { JsonObject } from "./json-value.js";
import { contentTypeOf, negotiate, type ResponseFormat } from "./negotiation.js";
import { patchTypeOf, readPatch } from "./patch/patch-object.js";
import { asVersion, getObject, listObjects } from "./read-objects.js";
import { readDeleteOptions, readObject } from "./request-body.js";
import { isOn, type ResourceRequest } from "./request-info.js";
import { objectResponse, streamResponse, warningHeaders } from "./responses.js";
import { readScale, scaleOf, writeScale } from "./scale.js";
import type { ServerContext } from "./server-context.js";
import { tableOf } from "./table.js";
import { answerVirtual, createSubresource, isVirtual, notServed } from "./virtual-kinds.js";
import { openWatch } from "./watch.js";
import type { Write } from "./write.js";
import { createObject, updateObject } from "./write-object.js";
import { readWriteOptions, type WriteOptions } from "./write-options.js";

const connections = new Set(["attach", "exec", "log", "portforward", "proxy"]);

/** Answers a request for a resource. */
export async function handleResource(
  server: ServerContext,
  request: ResourceRequest,
  http: HttpRequest,
  signal: AbortSignal,
  finalEvent?: Status,
): Promise<HttpResponse> {
  const { resource, subresource, verb } = request;
  if (connections.has(subresource)) {
    throw notServed(subresource);
  }
  const format = formatOf(request, http);
  const exchange = { server, request, format };
  switch (verb) {
    case "get": {
      const object =
        subresource === "scale"
          ? scaleOf(server, request)
          : await getObject(server, request, signal);
      return answer(exchange, 200, object);
    }
    case "list":
      return answer(exchange, 200, await listObjects(server, request, signal));
    case "watch": {
      const { body } = openWatch(server, request, format, signal, finalEvent);
      const contentType =
        format.encoding === "protobuf" ? mediaTypes.protobufWatch : contentTypeOf(format);
      return streamResponse(contentType, body);
    }
    case "create":
      return create(exchange, http);
    case "update":
    case "patch":
      return update(exchange, http);
    case "delete": {
      const body = await readDeleteOptions(http.body, http.headers["content-type"]);
      const options = readDeleteOptionsOf(request.query, body);
      return answer(exchange, 200, deleteObject(server, request, options));
    }
    case "deletecollection": {
      const body = await readDeleteOptions(http.body, http.headers["content-type"]);
      const options = readDeleteOptionsOf(request.query, body);
      return answer(exchange, 200, await deleteCollection(server, request, options, signal));
    }
    default:
      throw new Error(`no such verb: ${verb satisfies never}, ${resource.plural}`);
  }
}

/** A request and how its answer is to be written. */
interface Exchange {
  readonly server: ServerContext;
  readonly request: ResourceRequest;
  readonly format: ResponseFormat;
}

function answer(
  { server, request, format }: Exchange,
  status: number,
  object: JsonObject | Status,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpResponse> {
  const shown = format.view === "table" ? tableOf(object as JsonObject, request, server) : object;
  return objectResponse(status, shown, format, headers);
}

function formatOf(
  { resource, verb, query }: ResourceRequest,
  { headers }: HttpRequest,
): ResponseFormat {
  const collection = verb === "list" || verb === "deletecollection";
  const internal = resource.group === "" ? "core" : (resource.group.split(".")[0] ?? "");
  return negotiate(
    headers["accept"],
    {
      protobuf: resource.descriptor.protobuf,
      watchable: verb === "list" || verb === "watch",
      table: verb !== "watch",
      goKind: `${internal}.${resource.kind}${collection ? "List" : ""}`,
      metadataKind: collection ? "PartialObjectMetadataList" : "PartialObjectMetadata",
    },
    isOn(query.get("pretty")),
  );
}

async function beginWrite(
  server: ServerContext,
  request: ResourceRequest,
  options: WriteOptions,
  patch: boolean,
): Promise<Write> {
  const [schema, form] = await Promise.all([
    server.schemas(request.resource),
    server.forms(request.resource),
  ]);
  return { server, request, schema, form, options, warnings: [], patch };
}

async function create(exchange: Exchange, { body, headers }: HttpRequest): Promise<HttpResponse> {
  const { server, request } = exchange;
  const options = readWriteOptions(request.query, headers, "CreateOptions");
  const { resource, subresource } = request;
  const kind = resource.descriptor.subresources[subresource]?.kind;
  const received = await readObject(body, headers["content-type"], resource, kind);
  const given = received.object;
  if (subresource !== "") {
    return answer(exchange, 201, createSubresource(server, request, given));
  }
  if (isVirtual(request)) {
    return answer(exchange, 201, answerVirtual(request, given));
  }
  const write = await beginWrite(server, request, options, false);
  const { object } = createObject(write, admit(write, given, received));
  return answer(exchange, 201, object, warningHeaders(write.warnings));
}

async function update(exchange: Exchange, { body, headers }: HttpRequest): Promise<HttpResponse> {
  const { server, request } = exchange;
  const { resource, verb, subresource, query } = request;
  const contentType = headers["content-type"];
  const type = verb === "patch" ? patchTypeOf(contentType, resource) : undefined;
  const optionsKind = type === undefined ? "UpdateOptions" : "PatchOptions";
  const options = readWriteOptions(query, headers, optionsKind, type === "apply");
  const write = await beginWrite(server, request, options, type !== undefined);
  if (subresource === "scale") {
    const scale = await readScale(server, request, body, contentType);
    return answer(exchange, 200, writeScale(write, scale), warningHeaders(write.warnings));
  }
  const step =
    type === undefined
      ? await readObject(body, contentType, resource).then(
          (given) => (now: Write) => updateObject(now, admit(now, given.object, given)),
        )
      : await readPatch(type, body);
  const { object, created } = step(write);
  const shown = asVersion(object, resource);
  return answer(exchange, created ? 201 : 200, shown, warningHeaders(write.warnings));
}
