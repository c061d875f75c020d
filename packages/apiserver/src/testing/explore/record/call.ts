import type { HttpRequest } from "@typekube/core/internal";

/** A call of an operator: a request, or a method of a system outside of the cluster. */
export interface Call {
  /** Number of the call in its run, from 1. */
  readonly call: number;
  /** Name of the process. */
  readonly process: string;
  /** Number of the user step before it, from 1; 0 before the first. */
  readonly step: number;
  /** Milliseconds of the scenario's clock since the start. */
  readonly atMs: number;
  /** Writes of objects before it, by anybody; those of Events and Leases left out. */
  readonly commits: number;
  /** `create`, `update`, `patch`, `delete`, `get`, `list`, `watch`; for an external system, its method. */
  readonly verb: string;
  /** Plural name of the resource with its subresource, or name of the external system. */
  readonly resource: string;
  /** `namespace/name`, as far as the request names them. */
  readonly name: string;
  /** For an external system, true once the call has changed what can be seen of it. */
  isWrite: boolean;
  /** True for a call of a system outside of the cluster. */
  readonly isExternal: boolean;
  /** True when a read accepts an old state. */
  readonly acceptsOldState: boolean;
}

/** The part of a call that a request names. */
export type RequestFacts = Omit<
  Call,
  "atMs" | "call" | "commits" | "isExternal" | "process" | "step"
>;

const verbs: Readonly<Record<string, string>> = {
  POST: "create",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
};

/** Facts of requests, by method and path: the runs of a search repeat the same ones. */
const known = new Map<string, RequestFacts>();
const mostKnown = 1_000;

/** Returns what a request asks for, by its method and path. */
export function requestFacts(request: HttpRequest): RequestFacts {
  const key = `${request.method} ${request.path}`;
  let facts = known.get(key);
  if (facts === undefined) {
    facts = readFacts(request);
    if (known.size >= mostKnown) {
      known.clear();
    }
    known.set(key, facts);
  }
  return facts;
}

function readFacts({ method, path }: HttpRequest): RequestFacts {
  const at = path.indexOf("?");
  const query = at < 0 ? "" : path.slice(at);
  const segments = (at < 0 ? path : path.slice(0, at)).split("/").filter((part) => part !== "");
  const rest = segments
    .slice(segments[0] === "api" ? 2 : 3)
    .map((part) => (part.includes("%") ? decodeURIComponent(part) : part));
  const hasNamespace = rest[0] === "namespaces" && rest.length > 2;
  const [resource = "", name = "", ...sub] = hasNamespace ? rest.slice(2) : rest;
  const isWatch = /[?&]watch=(?:true|1)(?:&|$)/.test(query);
  const verb =
    verbs[method] ??
    (isWatch ? "watch" : rest.length === 0 ? "discover" : name === "" ? "list" : "get");
  return {
    verb: verb === "delete" && name === "" ? "deletecollection" : verb,
    resource: [resource || segments.join("/"), ...sub].join("/"),
    name: [...(hasNamespace ? [rest[1]] : []), ...(name === "" ? [] : [name])].join("/"),
    isWrite: method in verbs,
    acceptsOldState:
      /[?&]resourceVersion=0(?:&|$)/.test(query) &&
      (verb === "list" || verb === "watch" || verb === "get"),
  };
}

/** Returns a call in words: `create configmaps default/tea`. */
export function callText({ verb, resource, name, isExternal }: Call): string {
  return isExternal ? `${resource}.${verb}(${name})` : `${verb} ${resource} ${name}`.trim();
}

/** Returns the object of a call, without the arguments of an external system: they may differ from run to run. */
export function callMark({ verb, resource, name, isExternal }: Call): string {
  return isExternal ? `${resource}.${verb}` : `${verb} ${resource} ${name}`.trim();
}

const bookkeeping: ReadonlySet<string> = new Set(["events", "leases"]);

/** Returns whether a call is part of an operator's own bookkeeping, not of its work. */
export function isBookkeeping({ resource }: Pick<Call, "resource">): boolean {
  return bookkeeping.has(resource);
}
