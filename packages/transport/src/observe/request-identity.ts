import type { HttpMethod, HttpRequest, RequestIdentity } from "@typekube/core/internal";

/** The parts of a resource path. */
type ResourcePath = Pick<
  RequestIdentity,
  "apiVersion" | "name" | "namespace" | "resource" | "subresource"
>;

/** Subresources of a namespace itself; any other segment after its name is a resource in it. */
const namespaceSubresources: ReadonlySet<string | undefined> = new Set(["finalize", "status"]);

/**
 * Identifies the resource and the verb of a request by its path and method alone, as the server does.
 *
 * @param server - origin and base path of the server.
 */
export function requestIdentity(
  request: Pick<HttpRequest, "method" | "path">,
  server: { readonly origin: string; readonly basePath: string },
): RequestIdentity {
  const end = request.path.indexOf("?");
  const path = end < 0 ? request.path : request.path.slice(0, end);
  const query = end < 0 ? "" : request.path.slice(end + 1);
  const { about, template } = readPath(path);
  const verb = about?.resource
    ? verbOf(request.method, about, query)
    : request.method.toLowerCase();
  return {
    method: request.method,
    verb,
    urlTemplate: server.basePath + template,
    server: server.origin,
    ...about,
  };
}

function readPath(path: string): {
  readonly about: ResourcePath | undefined;
  readonly template: string;
} {
  const segments = path.split("/");
  const [, prefix] = segments;
  if (segments.length <= 2) {
    return { about: undefined, template: path };
  }
  if (prefix !== "api" && prefix !== "apis") {
    // The rest may be anything, also names of an aggregated server.
    return { about: undefined, template: "/{prefix}" };
  }
  const start = prefix === "api" ? 3 : 4;
  const apiVersion = segments.slice(2, start).join("/");
  const rest = segments.slice(start);
  const inNamespace =
    rest[0] === "namespaces" && rest.length > 2 && !namespaceSubresources.has(rest[2]);
  const [resource, name, ...subresource] = inNamespace ? rest.slice(2) : rest;
  if (!resource) {
    return { about: undefined, template: path };
  }
  const namespace = inNamespace ? rest[1] : undefined;
  const parts = [
    ...segments.slice(0, start),
    ...(inNamespace ? ["namespaces", "{namespace}"] : []),
    resource,
    ...(name ? ["{name}"] : []),
    // The path after a proxy subresource belongs to another server.
    ...(subresource.length > 1 ? [subresource[0], "{path}"] : subresource),
  ];
  return {
    about: {
      apiVersion,
      resource,
      ...(subresource[0] ? { subresource: subresource[0] } : {}),
      ...(namespace ? { namespace: decoded(namespace) } : {}),
      ...(name ? { name: decoded(name) } : {}),
    },
    template: parts.join("/"),
  };
}

function verbOf(method: HttpMethod, { name }: ResourcePath, query: string): string {
  switch (method) {
    case "GET":
    case "HEAD":
      if (name) {
        return "get";
      }
      return /(?:^|&)watch=(?:true|1)(?:&|$)/.test(query) ? "watch" : "list";
    case "POST":
      return "create";
    case "PUT":
      return "update";
    case "PATCH":
      return "patch";
    case "DELETE":
      return name ? "delete" : "deletecollection";
    default:
      return method.toLowerCase();
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
