import {
  codecs,
  type HttpRequest,
  type HttpResponse,
  mediaTypes,
  parseAccept,
} from "@typekube/core";
import {
  aggregatedDiscovery,
  aggregatedParameters,
  coreVersions,
  etagOf,
  groupList,
  oneGroup,
  resourceList,
} from "./discovery.js";
import type { JsonObject } from "./json-value.js";
import { negotiate } from "./negotiation.js";
import type { SplitPath } from "./request-info.js";
import { bytesResponse, objectResponse, textResponse } from "./responses.js";
import type { ServerContext } from "./server-context.js";
import { methodNotAllowed, noSuchResource } from "./status-errors.js";

const checks = ["ping", "log", "etcd", "poststarthook/start-apiextensions-controllers"];

/** Answers what is no resource: discovery, version, health. `undefined` when the path is none of these. */
export async function handleDiscovery(
  server: ServerContext,
  { method, headers }: HttpRequest,
  { path, segments, query }: SplitPath,
): Promise<HttpResponse | undefined> {
  const answer = answerTo(server, segments, headers, query);
  if (answer === undefined) {
    return undefined;
  }
  if (method !== "GET") {
    throw methodNotAllowed();
  }
  if (typeof answer === "string") {
    return path.endsWith("/") && segments.length > 0 ? notFoundPage() : textResponse(200, answer);
  }
  return answer instanceof Aggregated
    ? answer.respond(headers)
    : objectResponse(200, answer, negotiate(headers["accept"], { protobuf: false }));
}

/** What a real server says to a path of a group it does not know. */
export function notFoundPage(): HttpResponse {
  return textResponse(404, "404 page not found\n");
}

class Aggregated {
  readonly #document: JsonObject;

  constructor(document: JsonObject) {
    this.#document = document;
  }

  async respond(headers: HttpRequest["headers"]): Promise<HttpResponse> {
    const bytes = await codecs.json.encode(this.#document);
    const etag = etagOf(bytes);
    const common = { "cache-control": "public", etag, vary: "Accept" };
    const contentType = `${mediaTypes.json};${aggregatedParameters}`;
    return headers["if-none-match"] === etag
      ? bytesResponse(304, contentType, new Uint8Array(0), common)
      : bytesResponse(200, contentType, bytes, common);
  }
}

function answerTo(
  { registry, version }: ServerContext,
  segments: readonly string[],
  headers: HttpRequest["headers"],
  query: URLSearchParams,
): Aggregated | JsonObject | string | undefined {
  const [first, second, third] = segments;
  if (segments.length === 0) {
    return rootPaths([...registry.groups]);
  }
  if (segments.length === 1) {
    switch (first) {
      case "version":
        return versionInfo(version);
      case "healthz":
      case "livez":
      case "readyz":
        return query.has("verbose")
          ? `${checks.map((check) => `[+]${check} ok\n`).join("")}${first} check passed\n`
          : "ok";
      case "api":
        return wantsAggregated(headers["accept"])
          ? new Aggregated(aggregatedDiscovery(registry, true))
          : coreVersions(registry);
      case "apis":
        return wantsAggregated(headers["accept"])
          ? new Aggregated(aggregatedDiscovery(registry, false))
          : groupList(registry);
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

function wantsAggregated(accept: string | undefined): boolean {
  const best = parseAccept(accept ?? "").find(({ essence }) => essence === mediaTypes.json);
  const { as, g, v } = best?.parameters ?? {};
  return as === "APIGroupDiscoveryList" && g === "apidiscovery.k8s.io" && v === "v2";
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
  return { paths: [...paths, "/apis", "/healthz", "/livez", "/readyz", "/version"].sort() };
}
