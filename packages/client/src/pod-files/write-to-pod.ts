import { randomBytes } from "node:crypto";
import { posix } from "node:path";
import type { PodFiles } from "./pod-files.js";
import { isMissingProgram, runInPod, startInPod, succeeds } from "./run-in-pod.js";
import { type CommandInput, sendInput } from "./send-input.js";
import { archiveBytes, tarArchive } from "./tar/tar-writer.js";

/** A file to write in a container. */
export interface PodFileContent extends CommandInput {
  readonly bytes: number;
  readonly mode: number;
}

/** Nobody else may read the file before it has its mode. */
const writeScript = 'umask 077; cat > "$1"';

/** Gives a file its mode and name once all of its bytes are there. */
const finishScript = `n=$(wc -c <"$1") || exit
[ "$n" -eq "$2" ] || { echo "the input was cut off: $n of $2 bytes came" >&2; exit 1; }
chmod -- "$3" "$1" && mv -f -- "$1" "$4"`;

/**
 * Writes a file under another name in its directory and renames it when all bytes are there, so that its readers see the
 * old or the new content. The last step is a command of its own: a lost connection looks like an end of the input.
 *
 * Without `sh` the container's `tar` writes the file, and `mv` renames it.
 *
 * @throws {KubeError} `CommandFailed` when it cannot be written, or the container has neither `sh` nor `tar` and `mv`.
 */
export async function writeToPod(
  files: PodFiles,
  path: string,
  content: PodFileContent,
): Promise<void> {
  const name = `.${randomBytes(12).toString("hex")}.part`;
  const temporary = posix.join(posix.dirname(path), name);
  try {
    try {
      await writeByShell(files, temporary, path, content);
    } catch (error) {
      if (!isMissingProgram(error, "sh")) {
        throw error;
      }
      await writeByTar(files, temporary, path, content, error);
    }
  } catch (error) {
    // The error that matters is the first one.
    const { signal, ...options } = files.options;
    await runInPod({ ...files, options }, ["rm", "-f", "--", temporary]).catch(() => {});
    throw error;
  }
}

async function writeByShell(
  files: PodFiles,
  temporary: string,
  path: string,
  { mode, ...content }: PodFileContent,
): Promise<void> {
  await sendInput(files, ["sh", "-c", writeScript, "sh", temporary], content);
  const facts = [String(content.bytes), mode.toString(8), path];
  const finish = ["sh", "-c", finishScript, "sh", temporary, ...facts];
  await succeeds("sh", await startInPod(files, finish));
}

/**
 * tar itself notices an archive that is cut off, and sets the mode.
 *
 * @param noShell - the error of the attempt with `sh`, which is thrown where `tar` or `mv` is missing, too.
 */
async function writeByTar(
  files: PodFiles,
  temporary: string,
  path: string,
  { read, bytes, mode, canEndInput }: PodFileContent,
  noShell: unknown,
): Promise<void> {
  const entry = {
    name: posix.basename(temporary),
    type: "file",
    size: bytes,
    mode,
    uid: 0,
    gid: 0,
    modifiedMs: 0,
    linkName: "",
  } as const;
  const sources = [{ entry, read }];
  try {
    await sendInput(files, ["tar", "-xpmf", "-", "-C", posix.dirname(path)], {
      read: () => tarArchive(sources),
      bytes: archiveBytes(sources),
      canEndInput,
    });
    await succeeds("mv", await startInPod(files, ["mv", "-f", "--", temporary, path]));
  } catch (error) {
    throw ["sh", "tar", "mv"].some((name) => isMissingProgram(error, name)) ? noShell : error;
  }
}
