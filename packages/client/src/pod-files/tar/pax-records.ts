import type { TarEntry } from "./tar-entry.js";
import { badArchive } from "./tar-error.js";

/** Fields of a member that metadata in front of it replaces. */
export type TarOverrides = {
  -readonly [Name in "gid" | "linkName" | "modifiedMs" | "name" | "size" | "uid"]?: TarEntry[Name];
};

/**
 * Reads records of POSIX `pax`: "length key=value\n" each.
 *
 * @throws {KubeError} `Decode` for a malformed record, an invalid value, or a file with holes.
 */
export function readPaxRecords(bytes: Buffer): TarOverrides {
  const overrides: TarOverrides = {};
  for (let at = 0; at < bytes.byteLength; ) {
    const space = bytes.indexOf(0x20, at);
    const digits = space < 0 ? "" : bytes.toString("latin1", at, space);
    const end = at + Number(digits);
    if (!/^[1-9]\d{0,8}$/.test(digits) || end > bytes.byteLength || bytes[end - 1] !== 0x0a) {
      throw badArchive("an extended header has a wrong length");
    }
    const record = bytes.subarray(space + 1, end - 1);
    const equals = record.indexOf(0x3d);
    if (equals < 1) {
      throw badArchive("an extended header has no key");
    }
    set(overrides, record.toString("utf8", 0, equals), record.toString("utf8", equals + 1));
    at = end;
  }
  return overrides;
}

function set(overrides: TarOverrides, key: string, value: string): void {
  switch (key) {
    case "path":
      overrides.name = name(value);
      break;
    case "linkpath":
      overrides.linkName = name(value);
      break;
    case "size":
      overrides.size = integer(key, value);
      break;
    case "uid":
      overrides.uid = integer(key, value);
      break;
    case "gid":
      overrides.gid = integer(key, value);
      break;
    case "mtime":
      overrides.modifiedMs = seconds(value) * 1000;
      break;
    default:
      if (key.startsWith("GNU.sparse.")) {
        throw badArchive("files with holes are not supported: create it without --sparse");
      }
  }
}

function name(value: string): string {
  if (value === "" || value.includes("\0")) {
    throw badArchive("a name in an extended header is empty or has a NUL");
  }
  return value;
}

function integer(key: string, value: string): number {
  if (!/^\d{1,16}$/.test(value) || !Number.isSafeInteger(Number(value))) {
    throw badArchive(`${key} in an extended header is not a number`);
  }
  return Number(value);
}

function seconds(value: string): number {
  if (!/^-?\d{1,12}(?:\.\d*)?$/.test(value)) {
    throw badArchive("mtime in an extended header is not a number");
  }
  return Number(value);
}
