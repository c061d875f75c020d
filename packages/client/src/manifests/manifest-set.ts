import type { KubeObject } from "@typekube/api";
import { assertDuplicateKeys, KubeError, parseManifests } from "@typekube/core";
import { manifestItems } from "@typekube/core/internal";
import type { ManifestTextOptions } from "../options/manifest-options.js";
import type { FailedObject } from "../response/manifest-result.js";
import type { UnknownKind } from "../types/kind-types.js";

/** YAML text with any number of documents, or an array of objects. */
// With KubeObject alone, the compiler would reject all other fields of an object literal in the call.
export type Manifests = string | readonly (KubeObject | UnknownKind)[];

/** A manifest and its index among the manifests. */
export interface IndexedManifest {
  readonly index: number;
  readonly manifest: KubeObject;
}

/** The fields of a CustomResourceDefinition that manifests need. */
export interface DefinitionManifest extends KubeObject {
  readonly spec?: {
    readonly group?: string;
    readonly scope?: string;
    readonly names?: { readonly kind?: string; readonly plural?: string };
    readonly versions?: readonly { readonly name?: string; readonly served?: boolean }[];
  };
}

/**
 * Reads the objects of YAML text, or takes an array of objects. A list, of one kind or of several, counts as its items.
 *
 * @throws {KubeError} `InvalidArgument` for text that contains no valid manifests, for a value that is neither text nor
 * an array, and for an unknown value of `duplicateKeys`.
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

/**
 * Returns manifests in apply order: namespaces and custom resource definitions first, because others depend on them,
 * then the rest in the given order.
 */
export function inApplyOrder(set: readonly IndexedManifest[]): readonly IndexedManifest[] {
  const isFoundation = ({ manifest }: IndexedManifest) =>
    isNamespace(manifest) || isDefinition(manifest);
  return [...set.filter(isFoundation), ...set.filter((one) => !isFoundation(one))];
}

/** Returns true for a Namespace. */
export function isNamespace(manifest: KubeObject | undefined): boolean {
  return manifest?.apiVersion === "v1" && manifest.kind === "Namespace";
}

/** Returns true for a CustomResourceDefinition. */
export function isDefinition(manifest: KubeObject | undefined): manifest is DefinitionManifest {
  return (
    manifest?.kind === "CustomResourceDefinition" &&
    manifest.apiVersion?.startsWith("apiextensions.k8s.io/") === true
  );
}

/** Returns the kinds that a definition makes the server serve, one for each version. */
export function kindsOf({ spec }: DefinitionManifest): { apiVersion: string; kind: string }[] {
  const kind = spec?.names?.kind ?? "";
  return (spec?.versions ?? [])
    .filter(({ served }) => served)
    .map(({ name }) => ({ apiVersion: `${spec?.group}/${name}`, kind }));
}

/** Builds the result of a failed manifest; the error message names the manifest. */
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

/** Returns a copy of an error with text in front of its message. */
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
