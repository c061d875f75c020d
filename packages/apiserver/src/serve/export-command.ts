/** The shell that started a command, as far as known. */
export interface Shell {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the commands that set `KUBECONFIG` in the current shell, one for each shell that it may be. On Windows,
 * `SHELL` or `MSYSTEM` indicates sh (Git Bash, MSYS2). cmd.exe always sets `PROMPT`; so do npm scripts, which run in
 * cmd.exe even when started from PowerShell.
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
