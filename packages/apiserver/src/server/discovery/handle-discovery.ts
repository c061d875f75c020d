import { codecs, type HttpRequest, type HttpResponse } from "@typekube/core/internal";
import type { ServerContext } from "../../context/server-context.js";
import { methodNotAllowed, noSuchResource } from "../../errors/status-errors.js";
import type { JsonObject } from "../../objects/json-value.js";
import {
  assertOneOf,
  type FormatRequest,
  formatRequestOf,
  jsonOnly,
  negotiate,
} from "../../request/negotiation.js";
import type { SplitPath } from "../../request/request-info.js";
import { contentTypeOf, plainJson, type ResponseFormat } from "../../request/response-format.js";
import { encodeBody } from "../../response/encode-body.js";
import { bytesResponse, objectResponse, textResponse } from "../../response/responses.js";
import { handleOpenApi } from "../openapi/handle-openapi.js";
import {
  aggregatedDiscovery,
  aggregatedParameters,
  coreVersions,
  etagOf,
  groupList,
  oneGroup,
  resourceList,
} from "./discovery.js";
import { healthPaths, healthResponse } from "./health.js";

/** Serves non-resource paths: discovery, OpenAPI, version, health. `undefined` for other paths. */
export async function handleDiscovery(
  server: ServerContext,
  request: HttpRequest,
  split: SplitPath,
): Promise<HttpResponse | undefined> {
  const { method, headers } = request;
  const { path, segments, query } = split;
  const openApi = await handleOpenApi(server, request, split);
  if (openApi !== undefined) {
    return openApi;
  }
  // Real servers serve these for any method.
  const health = path.endsWith("/") ? undefined : healthResponse(segments, query, server);
  if (health !== undefined) {
    return health;
  }
  const response = responseTo(server, segments);
  if (response === undefined) {
    return undefined;
  }
  if (method !== "GET") {
    throw methodNotAllowed();
  }
  const format = formatOf(server, segments, formatRequestOf(headers, query));
  return format.view === "aggregated"
    ? aggregated(aggregatedDiscovery(server.registry, segments[0] === "api"), format, headers)
    : objectResponse(200, response, format);
}

/** Serves aggregated discovery; a client that sends the current ETag gets 304. */
async function aggregated(
  document: JsonObject,
  format: ResponseFormat,
  headers: HttpRequest["headers"],
): Promise<HttpResponse> {
  const etag = etagOf(await codecs.json.encode(document));
  const common = { "cache-control": "public", etag, vary: "Accept" };
  const contentType = `${contentTypeOf(format)};${aggregatedParameters}`;
  return headers["if-none-match"] === etag
    ? bytesResponse(304, contentType, new Uint8Array(0), common)
    : bytesResponse(200, contentType, await encodeBody(document, format), common);
}

/** Negotiates the format. The available encodings and the error messages depend on the path. */
function formatOf(
  { gates, registry }: ServerContext,
  [first, group, version]: readonly string[],
  asking: FormatRequest,
): ResponseFormat {
  if (first === undefined || first === "version") {
    if (first !== undefined) {
      assertOneOf(asking.accept ?? "", jsonOnly);
    }
    // Always JSON, whatever the client accepts: these documents are not API objects.
    return plainJson;
  }
  const isOwn =
    version === undefined ||
    registry.ofVersion(group ?? "", version).every(({ rules }) => !rules.custom);
  return negotiate(asking, {
    // Custom groups are served by a part of the server without CBOR support.
    gates: isOwn ? gates : { ...gates, CBORServingAndStorage: false },
    protobuf: true,
    views: group === undefined ? "discovery" : "none",
    mediaTypeCheck: first === "api" || (version !== undefined && isOwn) ? "plain" : undefined,
  });
}

/** Returns a real server's response to a path in an unknown group. */
export function notFoundPage(): HttpResponse {
  return textResponse(404, "404 page not found\n");
}

function responseTo(
  { registry, version }: ServerContext,
  segments: readonly string[],
): JsonObject | undefined {
  const [first, second, third] = segments;
  if (segments.length === 0) {
    return rootPaths([...registry.groups]);
  }
  if (segments.length === 1) {
    switch (first) {
      case "version":
        return versionInfo(version);
      case "api":
        return coreVersions(registry);
      case "apis":
        return groupList(registry);
      default:
        return undefined;
    }
  }
  if (first === "api" && segments.length === 2) {
    return resourceList(registry, "", second ?? "");
  }
  if (first === "apis" && segments.length === 2) {
    return oneGroup(registry, second ?? "");
  }
  if (first === "apis" && segments.length === 3 && registry.groups.has(second ?? "")) {
    const found = resourceList(registry, second ?? "", third ?? "");
    if (found === undefined) {
      throw noSuchResource();
    }
    return found;
  }
  return undefined;
}

function versionInfo(version: string): JsonObject {
  const [major = "1", minor = "37"] = version.split(".");
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion: `v${major}.${minor}.1`,
    gitCommit: "",
    gitTreeState: "",
    buildDate: "1970-01-01T00:00:00Z",
    goVersion: "",
    compiler: "",
    platform: "",
  };
}

function rootPaths(groups: readonly (readonly [string, readonly string[]])[]): JsonObject {
  const paths = groups.flatMap(([group, versions]) =>
    group === ""
      ? ["/api", ...versions.map((version) => `/api/${version}`)]
      : [`/apis/${group}`, ...versions.map((version) => `/apis/${group}/${version}`)],
  );
  return {
    paths: [
      ...paths,
      ...healthPaths,
      "/apis",
      "/metrics",
      "/openapi/v2",
      "/openapi/v3",
      "/version",
    ].sort(),
  };
}
