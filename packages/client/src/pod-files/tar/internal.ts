// The reader and writer of tar archives. Loaded when they are needed.

export type { TarEntry, TarMember } from "./tar-entry.js";
export { tarMembers } from "./tar-reader.js";
export { type TarSource, tarArchive } from "./tar-writer.js";
