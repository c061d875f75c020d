import type { HttpMethod } from "@typekube/core/internal";
import { isOn, type SplitPath } from "../request/request-info.js";

/** What somebody wants to do, as far as rights are about it. Whether such a thing exists plays no part. */
export interface AccessAttributes {
  /** The API's verb, or the HTTP method in lower case for paths that are no resources. */
  readonly verb: string;
  /** False for paths like `/version`. */
  readonly isResource: boolean;
  readonly path: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

const methodVerbs: Readonly<Record<HttpMethod, string>> = {
  GET: "get",
  HEAD: "get",
  POST: "create",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
  OPTIONS: "",
};

const namespaceSubresources: ReadonlySet<string> = new Set(["finalize", "status"]);

/** Reads a request the way real servers do before they know what they serve. (apiserver `RequestInfoFactory`) */
export function accessAttributes(
  method: HttpMethod,
  { path, segments, query }: SplitPath,
): AccessAttributes {
  const [prefix] = segments;
  const grouped = prefix === "apis";
  const isResource = (prefix === "api" || grouped) && segments.length >= (grouped ? 4 : 3);
  if (!isResource) {
    return attributesOf({ verb: method.toLowerCase(), isResource, path });
  }
  const group = grouped ? (segments[1] ?? "") : "";
  const rest = segments.slice(grouped ? 3 : 2);
  const isInNamespace = rest[0] === "namespaces" && rest.length > 1;
  const namespace = isInNamespace ? (rest[1] ?? "") : "";
  const isNested = isInNamespace && rest.length > 2 && !namespaceSubresources.has(rest[2] ?? "");
  const [resource = "", name = "", subresource = ""] = isNested ? rest.slice(2) : rest;
  const named = name === "" ? selectedName(query) : name;
  return attributesOf({
    verb: verbOf(methodVerbs[method] ?? "", name, query),
    isResource,
    path,
    group,
    resource,
    subresource,
    namespace,
    name: name === "" && methodVerbs[method] !== "get" ? "" : named,
  });
}

/** Attributes with what is not given left empty. */
export function attributesOf(given: Partial<AccessAttributes>): AccessAttributes {
  return {
    verb: "",
    isResource: true,
    path: "",
    group: "",
    resource: "",
    subresource: "",
    namespace: "",
    name: "",
    ...given,
  };
}

function verbOf(verb: string, name: string, query: URLSearchParams): string {
  if (name !== "") {
    return verb;
  }
  if (verb === "get") {
    return isOn(query.get("watch")) ? "watch" : "list";
  }
  return verb === "delete" ? "deletecollection" : verb;
}

/** A list of one name is a right to that name. */
function selectedName(query: URLSearchParams): string {
  const [, name = ""] =
    /(?:^|,)metadata\.name==?([^,]*)/.exec(query.get("fieldSelector") ?? "") ?? [];
  return name;
}
