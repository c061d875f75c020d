import type { KubeObject } from "@typekube/api";
import { assertDuplicateKeys, KubeError, parseManifests } from "@typekube/core";
import { manifestItems } from "@typekube/core/internal";
import type { FailedObject, Manifests, ManifestTextOptions } from "./manifest-result.js";

/** A manifest and its place among the manifests. */
export interface IndexedManifest {
  readonly index: number;
  readonly manifest: KubeObject;
}

/** A CustomResourceDefinition as far as manifests need it. */
export interface DefinitionManifest extends KubeObject {
  readonly spec?: {
    readonly group?: string;
    readonly scope?: string;
    readonly names?: { readonly kind?: string; readonly plural?: string };
    readonly versions?: readonly { readonly name?: string; readonly served?: boolean }[];
  };
}

/**
 * The objects of YAML text, or objects as they are given; a list, of one kind or of several, counts as its items.
 *
 * @throws {KubeError} `InvalidArgument` for text that is no manifests, for what is neither text nor an array, and for an unknown
 *   value of `duplicateKeys`.
 */
export async function readManifestSet(
  manifests: Manifests,
  { duplicateKeys }: ManifestTextOptions,
): Promise<readonly IndexedManifest[]> {
  assertDuplicateKeys(duplicateKeys);
  if (typeof manifests !== "string" && !Array.isArray(manifests)) {
    throw new KubeError("InvalidArgument", "manifests must be YAML text or an array of objects", {
      hint: "put a single object into an array",
    });
  }
  const objects =
    typeof manifests === "string"
      ? await parseManifests(manifests, { duplicateKeys })
      : manifests.flatMap(manifestItems);
  return objects.map((manifest, index) => ({ index, manifest }));
}

/** What others stand on comes first: namespaces and the definitions of kinds, then the rest as it was given. */
export function inApplyOrder(set: readonly IndexedManifest[]): readonly IndexedManifest[] {
  const isFoundation = ({ manifest }: IndexedManifest) =>
    isNamespace(manifest) || isDefinition(manifest);
  return [...set.filter(isFoundation), ...set.filter((one) => !isFoundation(one))];
}

/** Whether this is a namespace. */
export function isNamespace(manifest: KubeObject | undefined): boolean {
  return manifest?.apiVersion === "v1" && manifest.kind === "Namespace";
}

/** Whether this defines a kind. */
export function isDefinition(manifest: KubeObject | undefined): manifest is DefinitionManifest {
  return (
    manifest?.kind === "CustomResourceDefinition" &&
    manifest.apiVersion?.startsWith("apiextensions.k8s.io/") === true
  );
}

/** The kinds that a definition has the server serve, one for each version. */
export function kindsOf({ spec }: DefinitionManifest): { apiVersion: string; kind: string }[] {
  const kind = spec?.names?.kind ?? "";
  return (spec?.versions ?? [])
    .filter(({ served }) => served)
    .map(({ name }) => ({ apiVersion: `${spec?.group}/${name}`, kind }));
}

/** A failure that says which manifest it was. */
export function failedObject(
  { index, manifest }: IndexedManifest,
  error: unknown,
  count: number,
): FailedObject {
  const { apiVersion = "", kind = "", metadata } = manifest ?? {};
  const { name = "", namespace } = metadata ?? {};
  const what = `${kind || "object"} "${name}"`;
  return {
    index,
    apiVersion,
    kind,
    namespace,
    name,
    outcome: "failed",
    error: reworded(
      KubeError.from(error),
      count > 1 ? `manifest ${index} (${what}): ` : `${what}: `,
    ),
  };
}

/** The same error with words in front of what it says. */
export function reworded(error: KubeError, before: string, cause: unknown = error): KubeError {
  return new KubeError(error.code, `${before}${error.rawMessage}`, {
    cause,
    hint: error.hint,
    status: error.status,
    httpStatus: error.httpStatus,
    retryAfterMs: error.retryAfterMs,
    request: error.request,
  });
}
