import { blockBytes, type TarEntry, type TarEntryType } from "./tar-entry.js";
import { badArchive } from "./tar-error.js";
import { readNumber, writeNumber } from "./tar-numbers.js";

/** Places of the fields in a header. (POSIX ustar) */
const fields = {
  name: [0, 100],
  mode: [100, 108],
  uid: [108, 116],
  gid: [116, 124],
  size: [124, 136],
  mtime: [136, 148],
  checksum: [148, 156],
  typeFlag: [156, 157],
  linkName: [157, 257],
  magic: [257, 265],
  prefix: [345, 500],
} as const;

type Field = keyof typeof fields;

/** Bytes of a name that fits into a header. */
export const maxShortNameBytes = 100;

/** Type flags of headers that describe the next member. */
export const metadataFlags = { pax: "x", globalPax: "g", longName: "L", longLink: "K" } as const;

/** Flag of a file in GNU's old form for files with holes. */
export const sparseFlag = "S";

const typesByFlag: Readonly<Record<string, TarEntryType>> = {
  "0": "file",
  "\0": "file",
  "7": "file",
  "1": "hardLink",
  "2": "symlink",
  "3": "device",
  "4": "device",
  "5": "directory",
  "6": "fifo",
};
const flagsByType: Partial<Record<TarEntryType, string>> = {
  file: "0",
  symlink: "2",
  directory: "5",
};

/** A header as it stands in its block. */
export interface TarHeader {
  readonly flag: string;
  readonly entry: TarEntry;
}

/**
 * Reads a header.
 *
 * @throws {KubeError} `Decode` for a wrong checksum or an invalid number.
 */
export function readHeader(block: Buffer): TarHeader {
  const number = (field: Field) => readNumber(block.subarray(...fields[field]), field);
  const text = (field: Field) => textOf(block.subarray(...fields[field]));
  assertChecksum(block, number("checksum"));
  const flag = block.subarray(...fields.typeFlag).toString("latin1");
  const isPosix = block.subarray(...fields.magic).toString("latin1") === "ustar\x0000";
  const prefix = isPosix ? text("prefix") : "";
  const name = prefix === "" ? text("name") : `${prefix}/${text("name")}`;
  const size = number("size");
  if (size < 0) {
    throw badArchive("size is negative");
  }
  const entry: TarEntry = {
    name,
    type: typesByFlag[flag] ?? "other",
    size,
    mode: number("mode") & 0o7777,
    uid: number("uid"),
    gid: number("gid"),
    modifiedMs: number("mtime") * 1000,
    linkName: text("linkName"),
  };
  return { flag, entry };
}

/** Returns the header of a member whose names fit. */
export function headerOf(entry: TarEntry): Buffer {
  return block(flagsByType[entry.type] ?? "0", entry);
}

/** Returns the header in front of a name that is too long for the next one. */
export function longNameHeader(flag: "K" | "L", bytes: number): Buffer {
  return block(flag, {
    name: "././@LongLink",
    type: "other",
    size: bytes,
    mode: 0o644,
    uid: 0,
    gid: 0,
    modifiedMs: 0,
    linkName: "",
  });
}

function block(flag: string, entry: TarEntry): Buffer {
  const header = Buffer.alloc(blockBytes);
  const field = (name: Field) => header.subarray(...fields[name]);
  Buffer.from(entry.name).copy(field("name"));
  writeNumber(field("mode"), entry.mode);
  writeNumber(field("uid"), entry.uid);
  writeNumber(field("gid"), entry.gid);
  writeNumber(field("size"), entry.size);
  writeNumber(field("mtime"), Math.max(0, Math.floor(entry.modifiedMs / 1000)));
  field("typeFlag").write(flag, "latin1");
  Buffer.from(entry.linkName).copy(field("linkName"));
  // GNU's magic: long names stand in headers of their own, which busybox reads, too, unlike records of POSIX.
  field("magic").write("ustar  \0", "latin1");
  field("checksum").fill(" ");
  const sum = sumOf(header);
  field("checksum").write(`${sum.toString(8).padStart(6, "0")}\0 `, "latin1");
  return header;
}

/** The checksum counts its own field as spaces. Old programs add signed bytes. */
function assertChecksum(block: Buffer, stated: number): void {
  const [from, to] = fields.checksum;
  let unsigned = 0;
  let signed = 0;
  for (let at = 0; at < block.byteLength; at++) {
    const byte = at >= from && at < to ? 0x20 : (block[at] ?? 0);
    unsigned += byte;
    signed += byte > 127 ? byte - 256 : byte;
  }
  if (stated !== unsigned && stated !== signed) {
    throw badArchive("the checksum of a header is wrong");
  }
}

function sumOf(header: Uint8Array): number {
  return header.reduce((sum, byte) => sum + byte, 0);
}

/** Returns the text before the first NUL. Bytes that are not UTF-8 become U+FFFD. */
export function textOf(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString("utf8", 0, end < 0 ? bytes.byteLength : end);
}
