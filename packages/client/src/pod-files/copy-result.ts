/** Why a file was not copied. */
export type SkipReason =
  /** A symbolic link; with `symlinks: "keep"` one that leads out of the directory, or is absolute. */
  | "symlink"
  /** A hard link to anything but a file that was copied before it; one of those becomes a copy. */
  | "hardLink"
  /** A device, a FIFO, a socket, or another type without content. */
  | "special"
  /** Its name leads out of the directory: `..`, an absolute path, a drive letter, another directory than the requested one. */
  | "outside"
  /** Its name is not UTF-8, or invalid on this platform. */
  | "name"
  /** Its name differs from another one only in case, and the file system of the target does not distinguish them. */
  | "case";

/** A file that was not copied. */
export interface SkippedFile {
  /** Path below what was copied; the whole name where it leads elsewhere. */
  readonly file: string;
  readonly reason: SkipReason;
  /** Target of a link. */
  readonly target?: string | undefined;
}

/** Result of a copy. */
export interface CopyResult {
  /** Number of files, and of links that were kept. Directories do not count. */
  readonly files: number;
  /** Bytes of their contents. */
  readonly bytes: number;
  /** Files that were not copied, each with the reason. */
  readonly skipped: readonly SkippedFile[];
}

/** How far a copy is. */
export interface CopyProgress {
  /** The current file: its path below what is copied. Empty when a single file is copied. */
  readonly file: string;
  /** Bytes of content that were copied so far, of all files. */
  readonly bytes: number;
  /** Bytes of all contents. `undefined` for a copy from a pod, whose size is not known before. */
  readonly total?: number | undefined;
}
