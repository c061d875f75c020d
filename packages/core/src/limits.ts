/**
 * Sizes that anything from the wire may have. Each is checked before more is buffered; reaching one is a
 * `KubeError` with code `TooLarge` that names the limit.
 */
export interface Limits {
  /** Bytes of one response body that is read whole. Default 512 MiB, lists are streamed and not bound by it. */
  readonly maxBodyBytes: number;
  /** Bytes of one object: a list item or the frame of a watch event. Default 16 MiB, as client-go's framers. */
  readonly maxObjectBytes: number;
  /** Bytes of an error body that are read; more is cut. Default 1 MiB. */
  readonly maxErrorBodyBytes: number;
  /** Nesting of protobuf messages. Default 500; the deepest built-in objects are schemas of custom resources. */
  readonly maxDepth: number;
}

/** The limits used where none are given. */
export const defaultLimits: Limits = {
  maxBodyBytes: 512 * 1024 * 1024,
  maxObjectBytes: 16 * 1024 * 1024,
  maxErrorBodyBytes: 1024 * 1024,
  maxDepth: 500,
};
