import type { ResourceRegistry } from "../resources/resource-registry.js";
import { badRequest, type StatusError } from "../response/status-errors.js";
import type { JsonObject } from "../store/json-value.js";

/** The kind that a body must have, as far as it says. */
export interface WantedKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Versions that real servers read besides the one that they write. */
const readToo: Readonly<Record<string, string>> = { Eviction: "policy/v1beta1" };

/**
 * Refuses a body that says it is of another kind or version.
 *
 * @param refuse - makes another error than that of a create from the reason, as patches need it.
 * @throws {StatusError} 400 in the words of real servers: some kinds are nobody's, others cannot become what is wanted.
 */
export function assertKind(
  body: JsonObject,
  wanted: WantedKind,
  registry: Pick<ResourceRegistry, "recognizes">,
  refuse?: (why: string) => StatusError,
): void {
  const apiVersion = String(body["apiVersion"] ?? wanted.apiVersion);
  const kind = String(body["kind"] ?? wanted.kind);
  const isRead = apiVersion === wanted.apiVersion || apiVersion === readToo[wanted.kind];
  if (isRead && kind === wanted.kind) {
    return;
  }
  const version = apiVersion.replace(/^.*\//, "");
  const [group = ""] = wanted.apiVersion.includes("/") ? wanted.apiVersion.split(/[./]/) : ["core"];
  const why = registry.recognizes(apiVersion, kind)
    ? `converting (${version}.${kind}) to (${group}.${wanted.kind}): unknown conversion`
    : `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`;
  throw (
    refuse?.(why) ??
    badRequest(
      `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${wanted.kind}: ${why}`,
    )
  );
}
