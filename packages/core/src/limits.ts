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
  /** Nesting of values in any encoding. Default 500; the deepest built-in objects are schemas of custom resources. */
  readonly maxDepth: number;
  /**
   * Characters of one number in JSON. Default 1000: an integer of 64 bits has 20, the longest exact float 770. Reading
   * longer ones takes time that grows faster than they do.
   */
  readonly maxNumberLength: number;
  /** Bytes that one compressed body may become. Default 16 GiB: lists are streamed, so this only ends endless ones. */
  readonly maxInflatedBytes: number;
  /**
   * How many times its own size a compressed body may become; looked at after the first 16 MiB. Default 400. Real
   * lists reach 15 to 60, a bomb about 1000.
   */
  readonly maxInflateRatio: number;
  /**
   * Gzip members of one compressed body beyond one for each 64 bytes that come out. Default 1000. Servers that flush make a
   * member of each list item; an empty member has 20 bytes, and each that arrives alone keeps a thread busy for 50 µs.
   */
  readonly maxSmallGzipMembers: number;
  /** Bytes of all header lines of a response. Default 64 KiB. */
  readonly maxHeaderBytes: number;
  /** Aliases (`*name`) in one YAML document. Default 1000, and no document may grow past `maxObjectBytes` by them. */
  readonly maxYamlAliases: number;
}

/** The limits used where none are given. */
export const defaultLimits: Limits = {
  maxBodyBytes: 512 * 1024 * 1024,
  maxObjectBytes: 16 * 1024 * 1024,
  maxErrorBodyBytes: 1024 * 1024,
  maxDepth: 500,
  maxNumberLength: 1000,
  maxInflatedBytes: 16 * 1024 * 1024 * 1024,
  maxInflateRatio: 400,
  maxSmallGzipMembers: 1000,
  maxHeaderBytes: 64 * 1024,
  maxYamlAliases: 1000,
};
