import { badRequest, type StatusError } from "../errors/status-errors.js";
import type { JsonObject } from "../objects/json-value.js";
import type { ResourceRegistry } from "../resources/resource-registry.js";

/** The apiVersion and kind that a body must have, if it contains them. */
export interface WantedKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Versions that real servers accept in addition to the one that they write. */
const readToo: Readonly<Record<string, string>> = { Eviction: "policy/v1beta1" };

/**
 * Rejects a body with another kind or apiVersion.
 *
 * @param refuse - creates the error from the reason, for patches; default: that of a create.
 * @throws {StatusError} 400 with the messages of real servers, which differ for unknown kinds and for kinds that can't
 * be converted.
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
