/** The shell that a command was called from, as far as it is known. */
export interface Shell {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the commands that set `KUBECONFIG` in the shell at hand, one for each shell that it may be. On Windows a `SHELL` or
 * `MSYSTEM` means sh (Git Bash, MSYS2). cmd.exe always sets `PROMPT`; so do scripts of npm, which run in it, also when they are
 * called from PowerShell.
 */
export function exportCommands(kubeconfig: string, { platform, env }: Shell): readonly string[] {
  if (platform !== "win32" || env["SHELL"] || env["MSYSTEM"]) {
    return [`export KUBECONFIG=${quotedForSh(kubeconfig)}`];
  }
  const powerShell = `$env:KUBECONFIG = '${kubeconfig.replaceAll("'", "''")}'`;
  return env["PROMPT"] === undefined
    ? [powerShell]
    : [`set "KUBECONFIG=${kubeconfig}"`, `${powerShell}   # in PowerShell`];
}

function quotedForSh(text: string): string {
  return /^[\w/.:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
