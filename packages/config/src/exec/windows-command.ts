import { systemProgram } from "./windows-system.js";

/** How a program is started. */
export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  /** Whether Node passes the arguments on as they are, without quotes of its own. */
  readonly isVerbatim: boolean;
}

/** Scripts of cmd.exe. Windows removes dots and spaces from the end of a file's name. */
const script = /\.(?:cmd|bat)[. ]*$/i;

/** An argument that means the same with and without quotes. A backslash at its end would hide a quote that the script adds. */
const plain = /^[\w./\\:@+-]*[\w./:@+-]$/;

/**
 * Options of cmd.exe: without the user's AutoRun commands, with command extensions, which {@link noExpansion} needs, without a
 * meaning for `!`, and with the whole rest as one command line.
 */
const cmdOptions = ["/d", "/e:on", "/v:off", "/s", "/c"] as const;

/** A percent sign that begins no variable: `%cd:~,%`, a substring of length 0, stands between it and the text. */
const noExpansion = "%%cd:~,%";

/**
 * Returns how a program is started on a platform. On Windows `.cmd` and `.bat` files are scripts of cmd.exe, which Node does not
 * start by themselves since 20.12.2 (CVE-2024-27980): an argument could be a command (CVE-2024-24576).
 *
 * Arguments stay between quotes for each of their readers: cmd.exe, the script, which often hands `%*` to a further command
 * line, and the program. So a quote inside becomes two: `\"` would end the quotes for cmd.exe. Programs of Go split such an argument at
 * a later space, an old rule; nothing of it is run.
 *
 * @throws an error with the code `ERR_INVALID_ARG_VALUE` for an argument with a line break, which no quotes can hold.
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
    // Node's own code for arguments that no command line can express.
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
  // Backslashes count only before a quote (rules of the C run-time).
  const text = arg.replace(/(\\*)"/g, '$1$1""').replace(/(\\*)$/, "$1$1");
  return `"${text.replaceAll("%", noExpansion)}"`;
}
