import { systemProgram } from "./windows-system.js";

/** File and arguments that start a program. */
export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  /** `true` when Node must pass the arguments on without adding quotes. */
  readonly isVerbatim: boolean;
}

/** Matches scripts for cmd.exe. Windows strips dots and spaces at the end of a file name. */
const script = /\.(?:cmd|bat)[. ]*$/i;

/**
 * Matches arguments that mean the same with and without quotes. A trailing backslash would escape a quote that the
 * script adds.
 */
const plain = /^[\w./\\:@+-]*[\w./:@+-]$/;

/**
 * Options of cmd.exe: no AutoRun commands, command extensions on (needed for {@link noExpansion}), no expansion of `!`,
 * and the whole rest as one command line.
 */
const cmdOptions = ["/d", "/e:on", "/v:off", "/s", "/c"] as const;

/** A percent sign that starts no variable: `%cd:~,%`, a substring of length 0, separates it from the following text. */
const noExpansion = "%%cd:~,%";

/**
 * Returns the command line that starts a program on a platform. On Windows, `.cmd` and `.bat` files are scripts for
 * cmd.exe. Node refuses to start them since 20.12.2 (CVE-2024-27980), because an argument could become a command
 * (CVE-2024-24576).
 *
 * Arguments stay quoted for each reader: cmd.exe, the script, which often passes `%*` to another command line, and the
 * program. A quote inside an argument is therefore doubled, since `\"` would end the quotes for cmd.exe. Go programs
 * follow an older rule and split such an argument at a later space; no part of it is executed.
 *
 * @throws an error with the code `ERR_INVALID_ARG_VALUE` for an argument with a line break, which cannot be quoted.
 */
export function launchOf(
  path: string,
  args: readonly string[],
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): Launch {
  if (platform !== "win32" || !script.test(path)) {
    return { file: path, args, isVerbatim: false };
  }
  const line = [path, ...args].map(quoteForCmd).join(" ");
  const file = systemProgram("cmd.exe", env);
  return { file, args: [...cmdOptions, `"${line}"`], isVerbatim: true };
}

function quoteForCmd(arg: string): string {
  if (/[\r\n\0]/.test(arg)) {
    // Node's own code for arguments that a command line cannot express.
    throw Object.assign(
      new Error("an argument of a .cmd or .bat file must not contain a line break"),
      {
        code: "ERR_INVALID_ARG_VALUE",
      },
    );
  }
  if (plain.test(arg)) {
    return arg;
  }
  // Backslashes are special only before a quote (rules of the C run-time).
  const text = arg.replace(/(\\*)"/g, '$1$1""').replace(/(\\*)$/, "$1$1");
  return `"${text.replaceAll("%", noExpansion)}"`;
}
