import type { SkipReason } from "./copy-result.js";

/** Place of a member below the target of a copy, or the reason why it has none. */
export type MemberPlace =
  | { readonly parts: readonly string[]; readonly reason?: undefined }
  | { readonly parts?: undefined; readonly reason: SkipReason };

const driveLetter = /^[A-Za-z]:(?:\\|$)/;

/** Names of devices, and characters, that Windows gives a meaning of their own. */
const windowsDevice = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
const windowsCharacter = /[<>:"|?*\\]|[. ]$/;

/**
 * Returns the place of a member. The archive must have it below `prefix`: anything else was changed on its way, or by
 * the container. No part of the path is `..`, so that it cannot leave the target by its name.
 *
 * @param prefix - name that was archived; empty for the contents of a directory.
 */
export function memberPlace(
  name: string,
  prefix: string,
  platform: NodeJS.Platform = process.platform,
): MemberPlace {
  if (name.startsWith("/") || name.startsWith("\\")) {
    return { reason: "outside" };
  }
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  if (prefix !== "" && parts.shift() !== prefix) {
    return { reason: "outside" };
  }
  if (parts.some((part) => part.split("\\").includes("..") || driveLetter.test(part))) {
    return { reason: "outside" };
  }
  if (parts.some((part) => isInvalid(part, platform))) {
    return { reason: "name" };
  }
  return { parts };
}

function isInvalid(part: string, platform: NodeJS.Platform): boolean {
  if (part.includes("\0") || part.includes("\ufffd")) {
    return true;
  }
  return platform === "win32" && (windowsCharacter.test(part) || windowsDevice.test(part));
}
