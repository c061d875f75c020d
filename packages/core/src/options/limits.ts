/**
 * Size limits for data from the wire. Each is checked before more is buffered. Data beyond a limit fails with a
 * `KubeError` of code `TooLarge` that names the limit.
 */
export interface Limits {
  /**
   * Bytes of one response body that is read whole, and of one document of `parseManifests()`. Default 512 MiB. Does not
   * apply to lists, which are streamed.
   */
  readonly maxBodyBytes: number;
  /**
   * Bytes of one object: a list item, the frame of a watch event, a document of `readManifests()`. Default 16 MiB, as in
   * client-go's framers.
   */
  readonly maxObjectBytes: number;
  /** Bytes of an error body that are read; the rest is dropped. Default 1 MiB. */
  readonly maxErrorBodyBytes: number;
  /** Nesting depth of values in any encoding. Default 500. The deepest built-in objects are schemas of custom resources. */
  readonly maxDepth: number;
  /**
   * Characters of one number in JSON. Default 1000: an integer of 64 bits has 20, the longest exact float 770. The time
   * to read a number grows faster than its length.
   */
  readonly maxNumberLength: number;
  /** Bytes to which one compressed body may expand. Default 16 GiB: lists are streamed, so this only stops endless ones. */
  readonly maxInflatedBytes: number;
  /**
   * Factor by which a compressed body may expand, checked after the first 16 MiB. Default 400. Real lists reach 15 to
   * 60, a decompression bomb about 1000.
   */
  readonly maxInflateRatio: number;
  /**
   * Gzip members of one compressed body in excess of one per 64 bytes of output. Default 1000. Servers that flush write
   * one member per list item. An empty member has 20 bytes, and each one that arrives alone keeps a thread busy for 50
   * µs.
   */
  readonly maxSmallGzipMembers: number;
  /** Bytes of all header lines of a response. Default 64 KiB. */
  readonly maxHeaderBytes: number;
  /**
   * Aliases (`*name`) in one YAML document. Default 1000. In addition, aliases may enlarge a document by at most
   * `maxObjectBytes`.
   */
  readonly maxYamlAliases: number;
}

/** Limits that apply when none are given. */
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
