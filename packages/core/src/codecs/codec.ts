import type { KubeObject, ListMeta } from "../api-types.js";
import type { Limits } from "../limits.js";

/** The types of watch events, in the API's own words. */
export type WatchEventType = "ADDED" | "BOOKMARK" | "DELETED" | "ERROR" | "MODIFIED";

/** One event of a watch as it stands on the wire. An `ERROR` carries a Status, as a rule. */
export interface WireWatchEvent {
  readonly type: WatchEventType | (string & {});
  readonly object: unknown;
}

/**
 * A part of a list: the items that were complete when the last bytes arrived. The first part may come without items.
 * `metadata` is set from the moment it is known, at the latest in the last part.
 */
export interface ListPart<T = KubeObject> {
  readonly apiVersion: string | undefined;
  /** The kind of the list (`PodList`). */
  readonly kind: string | undefined;
  readonly metadata: ListMeta | undefined;
  /** With kind and apiVersion filled in, as a single object has them. */
  readonly items: readonly T[];
}

/** What decoding may leave out and where it must stop. */
export interface DecodeOptions {
  /** Keep `metadata.managedFields` of the object, or of each item of a list. Default true; false builds no values of it. */
  readonly managedFields?: boolean | undefined;
  /**
   * Called when the body has a field that the tables do not know (a newer server), which the decoded object therefore
   * lacks, or has one message twice, of which it keeps the last. Throwing here ends the decoding. Encodings that lose nothing never call it.
   */
  readonly onUnknownField?: ((message: string, fieldNumber: number) => void) | undefined;
  /**
   * Parts of objects that are equal may be one and the same object, frozen all the way down; what is decoded itself, and
   * what is in it alone, is not frozen. For caches of many objects that nobody changes: half the memory and less work.
   * Default false. Lists and watches in JSON do it, and protobuf.
   */
  readonly shareEqual?: boolean | undefined;
  readonly limits?: Partial<Limits> | undefined;
}

/** What encoding may not do. */
export interface EncodeOptions {
  /**
   * Fail with `InvalidArgument` where what is there and empty (a list, a map) could not be told from what is not there: a server may mean
   * something else by it, such as forgetting all owners for empty managedFields. Default false. Only protobuf cannot tell.
   */
  readonly refuseLoss?: boolean | undefined;
}

/**
 * One encoding of the API, both ways. Each encoding is a folder with the same files; which one an object came in
 * cannot be seen on it. Every failure is a `KubeError` with code `Decode`, `TooLarge` or `InvalidArgument`.
 */
export interface Codec {
  readonly name: "cbor" | "json" | "protobuf" | "yaml";
  /** Content-Type of one object or list. */
  readonly mediaType: string;
  /** Content-Type of a watch's body. */
  readonly watchMediaType: string;
  /** Loads what the first body will need, where that is not there yet; nobody has to call it. */
  prepare?(): Promise<void>;
  /** Encodes one object or list. */
  encode(object: unknown, options?: EncodeOptions): Promise<Uint8Array>;
  /** Decodes one body: an object, a list, a Status. */
  decode(bytes: Uint8Array, options?: DecodeOptions): Promise<unknown>;
  /**
   * Decodes a list while it arrives, holding no more than one item's bytes. A body that is not a list fails
   * with `Decode`, a Status body with the error it stands for.
   */
  decodeList(source: AsyncIterable<Uint8Array>, options?: DecodeOptions): AsyncIterable<ListPart>;
  /** Splits and decodes a watch; yields the events that arrived together. A frame cut by the end fails with `Decode`. */
  decodeWatch(
    source: AsyncIterable<Uint8Array>,
    options?: DecodeOptions,
  ): AsyncIterable<readonly WireWatchEvent[]>;
  /** Encodes one event with its framing; servers need it. */
  encodeWatchEvent(event: WireWatchEvent): Promise<Uint8Array>;
}
