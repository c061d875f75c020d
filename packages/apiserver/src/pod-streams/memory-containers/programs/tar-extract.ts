import { posix } from "node:path";
import { FileError } from "../files/file-error.js";
import type { MemoryFiles } from "../files/memory-files.js";
import { bytesOf } from "./program.js";
import type { TarArguments } from "./tar-arguments.js";

type TarMember =
  ReturnType<
    Awaited<ReturnType<typeof import("typekube/internal").loadTar>>["tarMembers"]
  > extends AsyncGenerator<infer Member>
    ? Member
    : never;

/**
 * Creates the file of a member. Types that a container in memory lacks are skipped.
 *
 * @throws {FileError} when it cannot be created.
 */
export async function extractMember(
  files: MemoryFiles,
  { entry, content }: TarMember,
  { directory, isTouching }: Pick<TarArguments, "directory" | "isTouching">,
): Promise<void> {
  const path = inside(directory, entry.name);
  const { mode, size, linkName } = entry;
  const times = isTouching ? {} : { modifiedMs: entry.modifiedMs };
  const parent = posix.dirname(path);
  if (files.find(parent) === undefined) {
    files.makeDirectory(parent, { parents: true });
  }
  switch (entry.type) {
    case "directory":
      files.makeDirectory(path, { mode, ...times, parents: true });
      return;
    case "file":
      files.assertRoom(size);
      files.write(path, await bytesOf(content), { mode, ...times });
      return;
    case "hardLink":
      files.write(path, files.read(inside(directory, linkName)), { mode, ...times });
      return;
    case "symlink":
      if (linkName === "") {
        throw new FileError("EINVAL");
      }
      files.link(path, linkName, times.modifiedMs);
      return;
    default:
      return;
  }
}

/** Returns the path of a member. As in other tars, a name cannot lead out of the directory. */
function inside(directory: string, name: string): string {
  return `${directory}/${posix.join("/", name)}`;
}
