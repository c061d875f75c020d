/** How a program is started. */
export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  /** Whether Node passes the arguments on as they are, without quotes of its own. */
  readonly isVerbatim: boolean;
}

/** Characters with a meaning for cmd.exe. */
const special = /[()\][%!^"`<>&|;, *?]/g;

/**
 * Returns how a program is started on a platform. On Windows `.cmd` and `.bat` files are scripts of cmd.exe, which Node does not
 * start by themselves since 20.12.2 (CVE-2024-27980): an argument could be a command. Each argument is quoted for the program and
 * then escaped for cmd.exe, twice because the script hands its arguments to another command line.
 *
 * @throws an error with the code `ERR_INVALID_ARG_VALUE` for an argument with a line break, which no escape can express.
 */
export function launchOf(
  path: string,
  args: readonly string[],
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): Launch {
  if (platform !== "win32" || !/\.(?:cmd|bat)$/i.test(path)) {
    return { file: path, args, isVerbatim: false };
  }
  const line = [escapeForCmd(path), ...args.map(quoteForScript)].join(" ");
  const shell = env["ComSpec"] ?? env["COMSPEC"] ?? "cmd.exe";
  return { file: shell, args: ["/d", "/s", "/c", `"${line}"`], isVerbatim: true };
}

function quoteForScript(arg: string): string {
  if (/[\r\n\0]/.test(arg)) {
    // Node's own code for arguments that no command line can express.
    throw Object.assign(new Error("an argument of a .cmd or .bat file cannot hold a line break"), {
      code: "ERR_INVALID_ARG_VALUE",
    });
  }
  // The rules of the C run-time: backslashes count only before a quote.
  const quoted = `"${arg.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, "$1$1")}"`;
  return escapeForCmd(escapeForCmd(quoted));
}

function escapeForCmd(text: string): string {
  return text.replace(special, "^$&");
}
