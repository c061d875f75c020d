import { randomBytes } from "node:crypto";
import { posix } from "node:path";
import type { PodFiles } from "./pod-files.js";
import { runInPod, startInPod, succeeds } from "./run-in-pod.js";
import { type CommandInput, sendInput } from "./send-input.js";

/** A file to write in a container. */
export interface PodFileContent extends CommandInput {
  readonly bytes: number;
  readonly mode: number;
}

/** Nobody else may read the file before it has its mode. */
const writeScript = 'umask 077; cat > "$1"';

/** Gives a file its mode and name once all of its bytes are there. */
const finishScript = '[ "$(wc -c < "$1")" -eq "$2" ] && chmod -- "$3" "$1" && mv -f -- "$1" "$4"';

/**
 * Writes a file under another name in its directory and renames it when all bytes are there, so that its readers see the
 * old or the new content. The last step is a command of its own: a lost connection looks like an end of the input.
 *
 * @throws {KubeError} `CommandFailed` when it cannot be written, or the container has no `sh`.
 */
export async function writeToPod(
  files: PodFiles,
  path: string,
  { mode, ...content }: PodFileContent,
): Promise<void> {
  const name = `.${randomBytes(12).toString("hex")}.part`;
  const temporary = posix.join(posix.dirname(path), name);
  try {
    await sendInput(files, ["sh", "-c", writeScript, "sh", temporary], content);
    const facts = [String(content.bytes), mode.toString(8), path];
    const finish = ["sh", "-c", finishScript, "sh", temporary, ...facts];
    await succeeds("sh", await startInPod(files, finish));
  } catch (error) {
    // The error that matters is the first one.
    const { signal, ...options } = files.options;
    await runInPod({ ...files, options }, ["rm", "-f", "--", temporary]).catch(() => {});
    throw error;
  }
}
