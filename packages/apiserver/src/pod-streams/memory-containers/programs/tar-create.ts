import { posix } from "node:path";
import type { MemoryFiles, MemoryNode } from "../files/memory-files.js";
import { messageOf } from "./program.js";
import type { TarArguments } from "./tar-arguments.js";

type TarSource = Parameters<
  Awaited<ReturnType<typeof import("typekube/internal").loadTar>>["tarArchive"]
>[0][number];

/** Members of an archive, and the messages about names that are missing or changed. */
export interface ArchiveSources {
  readonly sources: readonly TarSource[];
  readonly errors: readonly string[];
}

/** Lists files, and directories with all below them, as members of an archive. */
export function sourcesOf(
  files: MemoryFiles,
  { directory, names, follows }: Pick<TarArguments, "directory" | "follows" | "names">,
): ArchiveSources {
  const sources: TarSource[] = [];
  const errors: string[] = [];
  for (const name of names) {
    const path = posix.isAbsolute(name) ? name : `${directory}/${name}`;
    const member = name.replace(/^\/+/, "");
    if (member !== name) {
      errors.push("Removing leading `/' from member names");
    }
    try {
      add(sources, files, { path, name: member === "" ? "." : member, follows }, new Set());
    } catch (error) {
      errors.push(`${name}: ${messageOf(error)}`);
    }
  }
  return { sources, errors };
}

interface Place {
  readonly path: string;
  readonly name: string;
  readonly follows: boolean;
}

/** @param above - directories on the way, which a link may lead back to. */
function add(
  sources: TarSource[],
  files: MemoryFiles,
  { path, name, follows }: Place,
  above: ReadonlySet<MemoryNode>,
): void {
  const node = files.get(path, { follows });
  sources.push(sourceOf(node, name));
  if (node.type !== "directory" || above.has(node)) {
    return;
  }
  for (const entry of [...node.entries.keys()].sort()) {
    const below = { path: `${path}/${entry}`, name: posix.join(name, entry), follows };
    add(sources, files, below, new Set([...above, node]));
  }
}

function sourceOf(node: MemoryNode, name: string): TarSource {
  const { mode, modifiedMs, type } = node;
  const facts = { mode, modifiedMs, uid: 0, gid: 0, linkName: "", size: 0 };
  switch (node.type) {
    case "file": {
      const { content } = node;
      const entry = { ...facts, name, type, size: content.byteLength };
      return {
        entry,
        async *read() {
          if (content.byteLength > 0) {
            yield content;
          }
        },
      };
    }
    case "directory":
      return { entry: { ...facts, name: name.endsWith("/") ? name : `${name}/`, type } };
    default:
      return { entry: { ...facts, name, type, linkName: node.target } };
  }
}
