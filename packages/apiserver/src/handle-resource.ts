import type { Status } from "@typekube/core";
import { type HttpRequest, type HttpResponse, mediaTypes } from "@typekube/core";
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
import { answerVirtual, createSubresource, isVirtual, notServed } from "./virtual-kinds.js";
import { openWatch } from "./watch.js";
import type { Write } from "./write.js";
import { admit, createObject, updateObject } from "./write-object.js";
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
  switch (verb) {
    case "get": {
      const object =
        subresource === "scale"
          ? scaleOf(server, request)
          : await getObject(server, request, signal);
      return objectResponse(200, object, format);
    }
    case "list":
      return objectResponse(200, await listObjects(server, request, signal), format);
    case "watch": {
      const { body } = openWatch(server, request, format, signal, finalEvent);
      const contentType =
        format.encoding === "protobuf" ? mediaTypes.protobufWatch : contentTypeOf(format);
      return streamResponse(contentType, body);
    }
    case "create":
      return create(server, request, http, format);
    case "update":
    case "patch":
      return update(server, request, http, format);
    case "delete": {
      const body = await readDeleteOptions(http.body, http.headers["content-type"]);
      const answer = deleteObject(server, request, readDeleteOptionsOf(request.query, body));
      return objectResponse(200, answer, format);
    }
    case "deletecollection": {
      const body = await readDeleteOptions(http.body, http.headers["content-type"]);
      const options = readDeleteOptionsOf(request.query, body);
      return objectResponse(200, await deleteCollection(server, request, options, signal), format);
    }
    default:
      throw new Error(`no such verb: ${verb satisfies never}, ${resource.plural}`);
  }
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
  const [schema, skeleton] = await Promise.all([
    server.schemas(request.resource),
    server.skeletons(request.resource),
  ]);
  return { server, request, schema, skeleton, options, warnings: [], patch };
}

async function create(
  server: ServerContext,
  request: ResourceRequest,
  { body, headers }: HttpRequest,
  format: ResponseFormat,
): Promise<HttpResponse> {
  const options = readWriteOptions(request.query, headers, "CreateOptions");
  const { resource, subresource } = request;
  const kind = resource.descriptor.subresources[subresource]?.kind;
  const given = await readObject(body, headers["content-type"], resource, kind);
  if (subresource !== "") {
    return objectResponse(201, createSubresource(server, request, given), format);
  }
  if (isVirtual(request)) {
    return objectResponse(201, answerVirtual(request, given), format);
  }
  const write = await beginWrite(server, request, options, false);
  const { object } = createObject(write, admit(write, given));
  return objectResponse(201, object, format, warningHeaders(write.warnings));
}

async function update(
  server: ServerContext,
  request: ResourceRequest,
  { body, headers }: HttpRequest,
  format: ResponseFormat,
): Promise<HttpResponse> {
  const { resource, verb, subresource, query } = request;
  const contentType = headers["content-type"];
  const type = verb === "patch" ? patchTypeOf(contentType, resource) : undefined;
  const optionsKind = type === undefined ? "UpdateOptions" : "PatchOptions";
  const options = readWriteOptions(query, headers, optionsKind, type === "apply");
  const write = await beginWrite(server, request, options, type !== undefined);
  const answer = (status: number, object: JsonObject) =>
    objectResponse(status, object, format, warningHeaders(write.warnings));
  if (subresource === "scale") {
    return answer(200, writeScale(write, await readScale(server, request, body, contentType)));
  }
  const step =
    type === undefined
      ? await readObject(body, contentType, resource).then(
          (given) => (now: Write) => updateObject(now, admit(now, given)),
        )
      : await readPatch(type, body);
  const { object, created } = step(write);
  return answer(created ? 201 : 200, asVersion(object, resource));
}
