import { readFile } from "node:fs/promises";

/**
 * Reads a text file in the encoding that its first bytes name, UTF-8 where they name none: `kubectl config view > config` in a
 * PowerShell writes UTF-16.
 *
 * @throws the system's error when it cannot be read.
 */
export async function readText(path: string): Promise<string> {
  const bytes = await readFile(path);
  // It takes the mark away.
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) {
    return "utf-16le";
  }
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}
