import type { ResourceDescriptor } from "@typekube/api";
import { builtInResources } from "@typekube/api/resources";
import { badRequest } from "../response/status-errors.js";
import type { JsonObject } from "../store/json-value.js";

/** The kind that a body must have, as far as it says. */
export interface WantedKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Versions that real servers read besides the one that they write. */
const readToo: Readonly<Record<string, string>> = { Eviction: "policy/v1beta1" };

let known: ReadonlySet<string> | undefined;

/** Every built-in kind in its version, those of subresources too. */
function knownKinds(): ReadonlySet<string> {
  known ??= new Set(
    (builtInResources as readonly ResourceDescriptor[]).flatMap((one) =>
      [one, ...Object.values(one.subresources)].map(({ apiVersion, kind }) =>
        nameOf(apiVersion, kind),
      ),
    ),
  );
  return known;
}

function nameOf(apiVersion: string, kind: string): string {
  return `${apiVersion} ${kind}`;
}

/**
 * Refuses a body that says it is of another kind or version.
 *
 * @throws {StatusError} 400 in the words of real servers: some kinds are nobody's, others cannot become what is wanted.
 */
export function assertKind(body: JsonObject, wanted: WantedKind): void {
  const apiVersion = String(body["apiVersion"] ?? wanted.apiVersion);
  const kind = String(body["kind"] ?? wanted.kind);
  const isRead = apiVersion === wanted.apiVersion || apiVersion === readToo[wanted.kind];
  if (isRead && kind === wanted.kind) {
    return;
  }
  const version = apiVersion.replace(/^.*\//, "");
  const [group = ""] = wanted.apiVersion.includes("/") ? wanted.apiVersion.split(/[./]/) : ["core"];
  const why = knownKinds().has(nameOf(apiVersion, kind))
    ? `converting (${version}.${kind}) to (${group}.${wanted.kind}): unknown conversion`
    : `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`;
  throw badRequest(
    `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${wanted.kind}: ${why}`,
  );
}
