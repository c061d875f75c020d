/** Returns true for a path on another computer, such as `\\host\share\file` on Windows. */
export function isOnOtherComputer(
  path: string,
  platform: NodeJS.Platform = process.platform,
): boolean {
  return platform === "win32" && /^[/\\]{2}/.test(path);
}
