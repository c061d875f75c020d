import type { KubeObject, ListMeta } from "../objects/api-types.js";
import type { Limits } from "../options/limits.js";
import type { Projection } from "../projection/projection.js";

/** Types of watch events, in the API's spelling. */
export type WatchEventType = "ADDED" | "BOOKMARK" | "DELETED" | "ERROR" | "MODIFIED";

/** One watch event as sent on the wire. An `ERROR` usually carries a Status. */
export interface WireWatchEvent {
  readonly type: WatchEventType | (string & {});
  readonly object: unknown;
}

/**
 * A part of a list: the items that the last bytes completed. The first part may have no items. `metadata` is set once
 * it is known, at the latest in the last part.
 */
export interface ListPart<T = KubeObject> {
  readonly apiVersion: string | undefined;
  /** Kind of the list (`PodList`). */
  readonly kind: string | undefined;
  readonly metadata: ListMeta | undefined;
  /** Items with kind and apiVersion filled in, as in a single object. */
  readonly items: readonly T[];
}

/** Options of decoding: parts to leave out, and limits. */
export interface DecodeOptions {
  /**
   * Keeps `metadata.managedFields` of the object, or of each item of a list. Default true; with false their values are
   * never built.
   */
  readonly managedFields?: boolean | undefined;
  /**
   * Called when the decoder drops data: for a field missing from its schema tables (from a newer server), and for a
   * message that occurs twice, of which it keeps the last. Throwing in the callback aborts the decoding. Encodings
   * without such loss never call it.
   */
  readonly onUnknownField?: ((message: string, fieldNumber: number) => void) | undefined;
  /**
   * Allows equal parts of different objects to be one shared object, which is then deeply frozen. The decoded object
   * itself and parts that only it holds are not frozen. For caches of many objects that are never modified: half the
   * memory and less work. Default false. Applies to JSON lists, JSON watches and protobuf.
   */
  readonly shareEqual?: boolean | undefined;
  /**
   * Fields to keep of the object, or of each item of a list; the others are skipped without being read. A Status is
   * kept whole. Default: all.
   */
  readonly projection?: Projection | undefined;
  readonly limits?: Partial<Limits> | undefined;
}

/** Options of encoding. */
export interface EncodeOptions {
  /**
   * Rejects an empty list or map with `InvalidArgument` where the encoding cannot distinguish it from an absent one: a
   * server may treat the two differently, for example drop all owners for empty managedFields. Default false. Only
   * protobuf has this limitation.
   */
  readonly refuseLoss?: boolean | undefined;
}

/**
 * One encoding of the API, for both directions. A decoded object does not show which encoding it came in. Each encoding
 * is a folder with the same files. Every failure is a `KubeError` with code `Decode`, `TooLarge` or `InvalidArgument`.
 */
export interface Codec {
  readonly name: "cbor" | "json" | "protobuf" | "yaml";
  /** Content-Type of one object or list. */
  readonly mediaType: string;
  /** Content-Type of a watch's body. */
  readonly watchMediaType: string;
  /** Loads the code that the first body needs, unless it is loaded already. Calling it is optional. */
  prepare?(): Promise<void>;
  /** Encodes one object or list. */
  encode(object: unknown, options?: EncodeOptions): Promise<Uint8Array>;
  /** Decodes one body: an object, a list or a Status. */
  decode(bytes: Uint8Array, options?: DecodeOptions): Promise<unknown>;
  /**
   * Decodes a list while it arrives, holding the bytes of at most one item. Rejects a body that is not a list with
   * `Decode`, and a Status body with the error it represents.
   */
  decodeList(source: AsyncIterable<Uint8Array>, options?: DecodeOptions): AsyncIterable<ListPart>;
  /**
   * Splits and decodes a watch. Yields together the events that arrived together. A frame that the end of the body
   * truncates fails with `Decode`.
   */
  decodeWatch(
    source: AsyncIterable<Uint8Array>,
    options?: DecodeOptions,
  ): AsyncIterable<readonly WireWatchEvent[]>;
  /** Encodes one event with its framing, as servers send it. */
  encodeWatchEvent(event: WireWatchEvent): Promise<Uint8Array>;
}
