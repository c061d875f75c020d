import type { Verb } from "@typekube/api";
import { parseApiVersion } from "@typekube/core";
import type { HttpRequest } from "@typekube/core/internal";
import {
  methodNotAllowed,
  methodNotSupported,
  noSuchResource,
  notFound,
} from "../errors/status-errors.js";
import type { User } from "../objects/user.js";
import type { ResourceRegistry } from "../resources/resource-registry.js";
import type { ServedResource } from "../resources/served-resource.js";
import { targetUrl } from "./request-target.js";

/** The API verb of a request. */
export type RequestVerb = Verb;

/** A resource request, parsed from method and path. */
export interface ResourceRequest {
  readonly verb: RequestVerb;
  readonly resource: ServedResource;
  /** Empty for cluster-scoped resources and for all namespaces. */
  readonly namespace: string;
  /** Empty for collections. */
  readonly name: string;
  readonly subresource: string;
  readonly query: URLSearchParams;
  /** The authenticated user. */
  readonly user?: User | undefined;
}

/** A request path, split before its resource is resolved. */
export interface SplitPath {
  readonly path: string;
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
}

/** Common paths: no escapes, and no `.` or `..` segments. */
const plainPath = /^(?:\/[\w-][\w.-]*)+$/;

/** Splits the target of a request. */
export function splitPath(target: string): SplitPath {
  const end = target.indexOf("?");
  const path = end < 0 ? target : target.slice(0, end);
  const query = end < 0 ? "" : target.slice(end + 1);
  if (plainPath.test(path) && !/[?#]/.test(query)) {
    return { path, segments: path.slice(1).split("/"), query: new URLSearchParams(query) };
  }
  const url = targetUrl(target);
  const segments = url.pathname.split("/").filter((segment) => segment !== "");
  return {
    path: url.pathname,
    segments: segments.map((segment) => {
      try {
        return decodeURIComponent(segment);
      } catch {
        return segment;
      }
    }),
    query: url.searchParams,
  };
}

/** Splits the group-version from a path; `undefined` when the path has none. */
export function groupVersionOf(
  segments: readonly string[],
): { group: string; version: string; rest: readonly string[] } | undefined {
  if (segments[0] === "api" && segments[1] !== undefined) {
    return { group: "", version: segments[1], rest: segments.slice(2) };
  }
  if (segments[0] === "apis" && segments[1] !== undefined && segments[2] !== undefined) {
    const { group, version } = parseApiVersion(`${segments[1]}/${segments[2]}`);
    return { group, version, rest: segments.slice(3) };
  }
  return undefined;
}

/** Resolves the resource and verb of a request. */
export function resourceRequest(
  method: HttpRequest["method"],
  { segments, query }: SplitPath,
  registry: ResourceRegistry,
): ResourceRequest {
  const prefix = groupVersionOf(segments);
  if (prefix === undefined) {
    throw noSuchResource();
  }
  const place = placeOf(prefix.rest, prefix.group);
  const resource = registry.find(prefix.group, prefix.version, place.plural);
  const namespaced = resource?.namespaced ?? false;
  const mismatch = namespaced
    ? place.namespace === "" && place.name !== ""
    : place.namespace !== "";
  if (resource === undefined || mismatch || place.extra) {
    throw noSuchResource();
  }
  const { namespace, name, subresource } = place;
  const verb = subresource === "proxy" ? proxiedVerb(method) : verbOf(method, name, query);
  assertAllowed(resource, verb, place);
  return { verb, resource, namespace, name, subresource, query };
}

interface Place {
  readonly plural: string;
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
  /** `true` when the path has more segments than a subresource. */
  readonly extra: boolean;
}

function placeOf(rest: readonly string[], group: string): Place {
  const inNamespace =
    rest[0] === "namespaces" &&
    rest.length > 2 &&
    !(group === "" && (rest[2] === "status" || rest[2] === "finalize"));
  const [plural = "", name = "", subresource = "", ...more] = inNamespace ? rest.slice(2) : rest;
  const namespace = inNamespace ? (rest[1] ?? "") : "";
  return {
    plural,
    namespace,
    name,
    subresource,
    extra: more.length > 0 && subresource !== "proxy",
  };
}

function verbOf(method: HttpRequest["method"], name: string, query: URLSearchParams): RequestVerb {
  switch (method) {
    case "GET":
      return name !== "" ? "get" : isOn(query.get("watch")) ? "watch" : "list";
    case "POST":
      return "create";
    case "PUT":
      return "update";
    case "PATCH":
      return "patch";
    case "DELETE":
      return name === "" ? "deletecollection" : "delete";
    default:
      throw methodNotAllowed();
  }
}

/** Returns the verb of a request that is passed on; any method may be. */
function proxiedVerb(method: HttpRequest["method"]): RequestVerb {
  return method === "HEAD" || method === "OPTIONS" ? "get" : verbOf(method, "any", noParameters);
}

const noParameters = new URLSearchParams();

/** Parses a boolean parameter like the server: everything except `0` and `false` is true, including the empty string. */
export function isOn(value: string | null): boolean {
  return value !== null && value !== "0" && value !== "false";
}

const itemVerbs: readonly RequestVerb[] = ["delete", "get", "patch", "update"];

function assertAllowed(
  resource: ServedResource,
  verb: RequestVerb,
  { namespace, name, subresource }: Place,
): void {
  const { descriptor, namespaced, defined } = resource;
  if (subresource !== "") {
    const known = Object.hasOwn(descriptor.subresources, subresource)
      ? descriptor.subresources[subresource]
      : undefined;
    if (known === undefined) {
      throw defined === undefined ? noSuchResource() : notFound(resource, name);
    }
    if (!(known.verbs as readonly string[]).includes(verb)) {
      throw defined === undefined ? methodNotAllowed() : methodNotSupported(resource, verb);
    }
    return;
  }
  const verbs: readonly string[] = descriptor.verbs;
  if (name !== "" && defined === undefined && !itemVerbs.some((one) => verbs.includes(one))) {
    // Reviews and bindings are not stored, so they have no object paths.
    throw noSuchResource();
  }
  const misplaced = name === "" ? verb === "update" || verb === "patch" : verb === "create";
  const acrossNamespaces = namespaced && namespace === "" && verb !== "list" && verb !== "watch";
  if (acrossNamespaces && defined !== undefined) {
    // Real servers hand such a request on, and nothing else has the path.
    throw noSuchResource();
  }
  if (misplaced || acrossNamespaces || !verbs.includes(verb)) {
    throw methodNotAllowed();
  }
}
