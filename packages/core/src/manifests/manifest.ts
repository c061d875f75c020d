import type { KubeObject } from "../objects/api-types.js";
import type { Limits } from "../options/limits.js";

/** An object in a manifest, which always has a kind and an apiVersion. */
export interface ManifestObject extends KubeObject {
  apiVersion: string;
  kind: string;
}

/** An object of a manifest and its position. */
export interface Manifest {
  /** The parsed object. */
  readonly object: ManifestObject;
  /** Number of the document that contains it, from 1. */
  readonly document: number;
  /** Line in which the document begins, from 1. */
  readonly line: number;
}

/** Options for reading manifests. */
export interface ManifestOptions {
  /** `maxObjectBytes` applies to a document of a stream, `maxBodyBytes` to a document of a text. */
  readonly limits?: Partial<Limits> | undefined;
  /**
   * Treatment of a key that occurs twice in one mapping: `"error"` rejects it, `"last"` uses its last value, as kubectl
   * does. Default `"error"`.
   */
  readonly duplicateKeys?: "error" | "last" | undefined;
}

/** Source of manifests: a file's stream, chunks of text or bytes, or one text. */
export type ManifestSource =
  | AsyncIterable<string | Uint8Array>
  | Iterable<string | Uint8Array>
  | string;
