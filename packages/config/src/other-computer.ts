/** Returns whether a path names another computer, as `\\host\share\file` does on Windows. */
export function isOnOtherComputer(
  path: string,
  platform: NodeJS.Platform = process.platform,
): boolean {
  return platform === "win32" && /^[/\\]{2}/.test(path);
}
