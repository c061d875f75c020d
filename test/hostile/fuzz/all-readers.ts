import { celReaders } from "./cel/cel-readers.js";
import { codecReaders } from "./codec-readers.js";
import type { HostileReader } from "./hostile-reader.js";
import { objectReaders } from "./object-readers.js";
import { streamReaders } from "./stream-readers.js";
import { fileReaders, textReaders } from "./text-readers.js";

/** Returns every reader of foreign data: bodies, files, selectors, paths, patches, discovery, upgraded connections. */
export async function allReaders(): Promise<HostileReader[]> {
  return [
    ...(await codecReaders()),
    ...fileReaders,
    ...textReaders,
    ...streamReaders,
    ...celReaders,
    ...(await objectReaders()),
  ];
}
