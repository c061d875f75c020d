import type { KubeObject } from "./api-types.js";
import type { Limits } from "./limits.js";

/** An object that a manifest describes: it says of which kind it is. */
export interface ManifestObject extends KubeObject {
  apiVersion: string;
  kind: string;
}

/** An object of a manifest and where it stands. */
export interface Manifest {
  readonly object: ManifestObject;
  /** The document that it is from, counted from 1 as its `---` are. */
  readonly document: number;
  /** The line that the document begins in, from 1. */
  readonly line: number;
}

/** How manifests are read. */
export interface ManifestOptions {
  /** `maxObjectBytes` is for a document of a stream, `maxBodyBytes` for one of a text. */
  readonly limits?: Partial<Limits> | undefined;
  /** A key that occurs twice in one mapping is an error, or its last value counts, as for kubectl. Default `"error"`. */
  readonly duplicateKeys?: "error" | "last" | undefined;
}

/** Where manifests come from: a file's stream, chunks of text or bytes. */
export type ManifestSource =
  | AsyncIterable<string | Uint8Array>
  | Iterable<string | Uint8Array>
  | string;
