/** Bytes of a block: headers and contents are padded to it. (POSIX `pax`, ustar interchange format) */
export const blockBytes = 512;

/** Kinds of members; `other` stands for types that we know no use for, such as labels of volumes. */
export type TarEntryType =
  | "device"
  | "directory"
  | "fifo"
  | "file"
  | "hardLink"
  | "other"
  | "symlink";

/** Header of a member of an archive. */
export interface TarEntry {
  /** Name as the archive has it: it may be absolute, or leave the directory. */
  readonly name: string;
  readonly type: TarEntryType;
  /** Bytes of the content. */
  readonly size: number;
  /** Permission bits, up to 0o7777. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Time of the last change in milliseconds since the epoch. */
  readonly modifiedMs: number;
  /** Target of a link; empty for other types. */
  readonly linkName: string;
}

/** A member while its archive is read. */
export interface TarMember {
  readonly entry: TarEntry;
  /** Content. What is left of it when the next member is requested is skipped. */
  readonly content: AsyncIterable<Uint8Array>;
}
