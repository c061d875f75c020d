import { checkCommand } from "@typekube/apiserver/check/command";

/** Outcome of a command. */
export interface CheckRun {
  readonly code: number;
  /** Standard output. */
  readonly out: string;
  /** Standard error. */
  readonly err: string;
}

/**
 * Runs `typekube check` in a folder, without colours.
 *
 * @param input - standard input. Default: empty.
 */
export async function runCheck(
  folder: string,
  args: readonly string[],
  input: Uint8Array | string = "",
): Promise<CheckRun> {
  const said = { out: "", err: "" };
  const code = await checkCommand(args, {
    folder,
    color: false,
    write: (text) => {
      said.out += text;
    },
    writeError: (text) => {
      said.err += text;
    },
    readInput: async () => Buffer.from(input),
  });
  return { code, ...said };
}
