/** Limits of an archive that is read. */
export interface TarLimits {
  /** Members of any type. */
  readonly maxFiles: number;
  /** Bytes of all contents. */
  readonly maxBytes: number;
}

/** Default limits, which stop endless archives: 500,000 members, 64 GiB. */
export const defaultTarLimits: TarLimits = { maxFiles: 500_000, maxBytes: 64 * 1024 ** 3 };

/** Bytes of a name. Linux has no longer path. (PATH_MAX) */
export const maxPathBytes: number = 4096;

/** Bytes of one header of metadata: names, and records such as those of access lists. */
export const maxMetadataBytes: number = 1024 * 1024;

/** Headers of metadata in front of one member. */
export const maxMetadataHeaders: number = 8;

/** Bytes after the end of an archive: programs fill their last record, of 10 KiB by default. */
export const maxPaddingBytes: number = 16 * 1024 * 1024;
