import type { MemoryFiles } from "./files/memory-files.js";
import { messageOf, type ProgramIo, UsageError } from "./programs/program.js";
import { programs } from "./programs/programs.js";

/** Directory of the programs. */
export const programFolder = "/bin";

/**
 * Returns the name of the program that a command starts; `undefined` when the container has no such program, and for no
 * command.
 */
export function programOf([word = ""]: readonly string[], files: MemoryFiles): string | undefined {
  const name = word.replace(/^(?:\/usr)?\/bin\//, "");
  const isThere = files.find(`${programFolder}/${name}`)?.type === "file";
  return !name.includes("/") && isThere && programs.has(name) ? name : undefined;
}

/**
 * Runs a command until it ends.
 *
 * @returns the exit code.
 * @throws {Error} with the message of a runtime, for a program that is missing.
 */
export async function runCommand(
  command: readonly string[],
  io: Omit<ProgramIo, "args">,
): Promise<number> {
  const [word = "", ...args] = command;
  const name = programOf(command, io.files);
  const program = programs.get(name ?? "");
  if (name === undefined || program === undefined) {
    throw new Error(startFailure(word, io.files));
  }
  try {
    return await program({ ...io, args });
  } catch (error) {
    if (error instanceof UsageError) {
      await io.stderr(`${name}: ${messageOf(error)}\n`);
      return name === "test" || name === "[" ? 2 : 1;
    }
    throw error;
  }
}

/** Returns the message that containerd and runc have for a program that cannot be started. */
function startFailure(word: string, files: MemoryFiles): string {
  const quoted = JSON.stringify(word);
  const why = !word.includes("/")
    ? "executable file not found in $PATH"
    : files.find(word) === undefined
      ? `stat ${word}: no such file or directory`
      : "permission denied";
  return `failed to exec in container: failed to start exec: OCI runtime exec failed: exec failed: unable to start container process: exec: ${quoted}: ${why}: unknown`;
}
