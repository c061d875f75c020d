import { readFile } from "node:fs/promises";
import { TextDecoder } from "node:util";

/** Most bytes of one file. */
export const maxFileBytes: number = 256 * 1024 * 1024;

/** Reads a file as text: UTF-8, or UTF-16 with a byte order mark. */
export async function readTextFile(path: string): Promise<string> {
  return decodeText(await readFile(path));
}

/** Decodes bytes as UTF-8, or as UTF-16 with a byte order mark. */
export function decodeText(bytes: Buffer): string {
  if (bytes.byteLength > maxFileBytes) {
    throw new Error(`it has ${bytes.byteLength} bytes, more than ${maxFileBytes}`);
  }
  const mark = bytes.toString("hex", 0, 2);
  const encoding = mark === "fffe" ? "utf-16le" : mark === "feff" ? "utf-16be" : "utf-8";
  // A file in another encoding is not silently repaired.
  return new TextDecoder(encoding, { fatal: true, ignoreBOM: encoding === "utf-8" }).decode(bytes);
}
