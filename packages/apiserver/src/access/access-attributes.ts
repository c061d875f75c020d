import type { HttpMethod } from "@typekube/core/internal";
import { isOn, type SplitPath } from "../request/request-info.js";

/** Attributes of a request that authorization depends on. The target need not exist. */
export interface AccessAttributes {
  /** The API verb, or the lower-case HTTP method for non-resource paths. */
  readonly verb: string;
  /** `false` for non-resource paths such as `/version`. */
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

/**
 * Derives the attributes from the path alone, as real servers do before they resolve the resource. (apiserver
 * `RequestInfoFactory`)
 */
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

/** Fills omitted attributes with empty strings; `isResource` defaults to true. */
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

/** Returns the name in a `metadata.name` field selector: such a list is authorized as a request for that name. */
function selectedName(query: URLSearchParams): string {
  const [, name = ""] =
    /(?:^|,)metadata\.name==?([^,]*)/.exec(query.get("fieldSelector") ?? "") ?? [];
  return name;
}
