import type { KubeObject } from "@typekube/api";

/** Converts between one version of a kind and the hub version. */
export interface Spoke<H extends KubeObject = KubeObject> {
  /**
   * Returns the object in the hub version. Of its metadata only labels and annotations may differ; without `metadata` it
   * keeps that of the argument. `apiVersion` and `kind` are filled in.
   */
  toHub(object: KubeObject): H;
  /** Returns an object of the hub version in this version, under the same rules. */
  fromHub(object: H): KubeObject;
}

/**
 * Converters of a kind: each version converts to the hub version and back, so that any two versions convert by way of
 * it. Nothing may be lost: keep what the other version cannot say in an annotation.
 */
export interface Converters<H extends KubeObject = KubeObject> {
  /** The hub version, such as `v1`: that of the descriptor. */
  readonly hub: string;
  readonly [version: `v${string}`]: Spoke<H>;
}
