import type { KubeObject } from "./api-types.js";
import type { Limits } from "./limits.js";

/** An object of a manifest and where it stands. */
export interface Manifest {
  readonly object: KubeObject;
  /** The document that it is from, counted from 1 as its `---` are. */
  readonly document: number;
  /** The line that the document begins in, from 1. */
  readonly line: number;
}

/** How manifests are read. */
export interface ManifestOptions {
  /** `maxObjectBytes` is for a document of a stream, `maxBodyBytes` for one of a text. */
  readonly limits?: Partial<Limits> | undefined;
}

/** Where manifests come from: a file's stream, chunks of text or bytes. */
export type ManifestSource =
  | AsyncIterable<string | Uint8Array>
  | Iterable<string | Uint8Array>
  | string;

/**
 * Reads YAML text with any number of documents, as kubectl does: YAML 1.1 (`yes` is true, `010` is 8), a document that
 * is JSON as JSON. Empty documents are left out; a `kind: List`, as `kubectl get -o yaml` writes it, counts as its items.
 *
 * @throws {KubeError} `InvalidArgument` for text that is not YAML and for documents that are no API objects, `TooLarge`
 * for what goes beyond a limit; both with document, line and column.
 */
export async function parseManifests(
  text: string,
  options: ManifestOptions = {},
): Promise<KubeObject[]> {
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
  const reader = await loadReader();
  yield* reader.readManifests(source, options);
}

/** Programs without YAML never load its code. */
function loadReader(): Promise<typeof import("./codecs/yaml/manifests.js")> {
  return import("./codecs/yaml/manifests.js");
}
