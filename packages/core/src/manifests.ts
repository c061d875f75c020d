import { KubeError } from "./errors/kube-error.js";
import type {
  Manifest,
  ManifestObject,
  ManifestOptions,
  ManifestSource,
} from "./manifests/manifest.js";
import { assertLimits } from "./options/assert-limits.js";
import { assertOptions, type OptionTable } from "./options/option-table.js";

export type { Manifest, ManifestObject, ManifestOptions, ManifestSource };

/**
 * Reads YAML text with any number of documents, as kubectl does: YAML 1.1 (`yes` is true, `010` is 8), a JSON document
 * as JSON, consecutive JSON objects as one document each. Skips empty documents. Replaces a `kind: List`, as `kubectl
 * get -o yaml` writes it, by its items, and likewise a typed list, as servers return it.
 *
 * @throws {KubeError} `InvalidArgument` for text that is not YAML and for documents that are not API objects,
 * `TooLarge` beyond a limit. The message states the document and, where known, line and column.
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
 * Reads manifests while they arrive, one document at a time. `limits.maxObjectBytes` bounds the memory, whatever the
 * length of the stream. Otherwise works like {@link parseManifests}.
 *
 * @example
 * ```ts
 * for await (const { object, document, line } of readManifests(createReadStream("all.yaml"))) {
 *   await client.apply(object);
 * }
 * ```
 */
export async function* readManifests(
  source: ManifestSource,
  options: ManifestOptions = {},
): AsyncIterable<Manifest> {
  assertManifestOptions(options);
  const reader = await loadReader();
  yield* reader.readManifests(source, options);
}

/** Loads the reader on first use: programs without YAML never load its code. */
function loadReader(): Promise<typeof import("./codecs/yaml/manifests.js")> {
  return import("./codecs/yaml/manifests.js");
}

const manifestOptions: OptionTable<ManifestOptions> = { duplicateKeys: true, limits: true };

function assertManifestOptions(options: ManifestOptions): void {
  assertOptions("a manifest reader", options, manifestOptions);
  assertDuplicateKeys(options.duplicateKeys);
  assertLimits(options.limits ?? {});
}

/**
 * Checks the option at run time.
 *
 * @throws {KubeError} `InvalidArgument` for any value other than `"error"` and `"last"`.
 */
export function assertDuplicateKeys(duplicateKeys: ManifestOptions["duplicateKeys"]): void {
  if (duplicateKeys !== undefined && duplicateKeys !== "error" && duplicateKeys !== "last") {
    throw new KubeError("InvalidArgument", `duplicateKeys must be "error" or "last"`);
  }
}
