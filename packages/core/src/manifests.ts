import { assertKnownOptions } from "./assert-known-options.js";
import { assertLimits } from "./assert-limits.js";
import { KubeError } from "./kube-error.js";
import type { Manifest, ManifestObject, ManifestOptions, ManifestSource } from "./manifest.js";

export type { Manifest, ManifestObject, ManifestOptions, ManifestSource };

/**
 * Reads YAML text with any number of documents, as kubectl does: YAML 1.1 (`yes` is true, `010` is 8), a document that
 * is JSON as JSON, several JSON objects in a row as one each. Empty documents are left out; a `kind: List`, as
 * `kubectl get -o yaml` writes it, counts as its items, and so does a list of one kind, as servers answer it.
 *
 * @throws {KubeError} `InvalidArgument` for text that is not YAML and for documents that are no API objects, `TooLarge`
 * for what goes beyond a limit; both with document, line and column.
 */
export async function parseManifests(
  text: string,
  options: ManifestOptions = {},
): Promise<ManifestObject[]> {
  assertManifestOptions(options);
  const reader = await loadReader();
  return reader.parseManifests(text, options);
}

/**
 * Reads manifests while they arrive, one document at a time: memory is bound by `limits.maxObjectBytes`, whatever the
 * length of the stream. Otherwise like {@link parseManifests}.
 *
 * @example
 * for await (const { object, document, line } of readManifests(createReadStream("all.yaml"))) {
 *   await client.apply(object);
 * }
 */
export async function* readManifests(
  source: ManifestSource,
  options: ManifestOptions = {},
): AsyncIterable<Manifest> {
  assertManifestOptions(options);
  const reader = await loadReader();
  yield* reader.readManifests(source, options);
}

/** Programs without YAML never load its code. */
function loadReader(): Promise<typeof import("./codecs/yaml/manifests.js")> {
  return import("./codecs/yaml/manifests.js");
}

function assertManifestOptions(options: ManifestOptions): void {
  assertKnownOptions("a reader of manifests", options, {
    limits: true,
    duplicateKeys: true,
  });
  assertDuplicateKeys(options.duplicateKeys);
  assertLimits(options.limits ?? {});
}

/**
 * Checks an option that came from a program.
 *
 * @throws {KubeError} `InvalidArgument` for a value other than the two.
 */
export function assertDuplicateKeys(duplicateKeys: ManifestOptions["duplicateKeys"]): void {
  if (duplicateKeys !== undefined && duplicateKeys !== "error" && duplicateKeys !== "last") {
    throw new KubeError("InvalidArgument", `duplicateKeys must be "error" or "last"`);
  }
}
