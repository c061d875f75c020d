import type { JsonObject } from "../objects/json-value.js";
import { isOn, type ResourceRequest } from "../request/request-info.js";
import type { AdmissionAttributes } from "./attributes.js";
import { kindOf } from "./matching/kind-of.js";

/** The subresources that connect a client with something behind the server. */
const connections: ReadonlySet<string> = new Set(["attach", "exec", "portforward", "proxy"]);

/** Returns whether a request is a CONNECT for admission. Reading a log is not. */
export function isConnect({ subresource }: ResourceRequest): boolean {
  return connections.has(subresource);
}

/**
 * Returns the attributes of a connection; its object are the options in the query.
 *
 * @param path - path behind the subresource `proxy`.
 */
export function connectAttributes(request: ResourceRequest, path: string): AdmissionAttributes {
  const { resource, subresource, name, namespace, user, query } = request;
  const kind = kindOf(resource, subresource);
  const { apiVersion } = resource.descriptor.subresources[subresource] ?? resource.descriptor;
  return {
    operation: "CONNECT",
    resource,
    subresource,
    kind,
    name,
    namespace,
    object: { kind: kind.kind, apiVersion, ...fieldsOf(subresource, query, path) },
    oldObject: undefined,
    options: undefined,
    user,
    dryRun: false,
  };
}

const flags = ["stdin", "stdout", "stderr", "tty"] as const;

function fieldsOf(subresource: string, query: URLSearchParams, path: string): JsonObject {
  switch (subresource) {
    case "proxy":
      return path === "" ? {} : { path };
    case "portforward": {
      const ports = query.getAll("ports").flatMap((list) => list.split(",").map(Number));
      return ports.length === 0 ? {} : { ports };
    }
    default: {
      const on = flags.filter((flag) => isOn(query.get(flag)));
      const container = query.get("container") ?? "";
      const command = query.getAll("command");
      return {
        ...Object.fromEntries(on.map((flag) => [flag, true])),
        ...(container === "" ? {} : { container }),
        ...(command.length === 0 ? {} : { command }),
      };
    }
  }
}
