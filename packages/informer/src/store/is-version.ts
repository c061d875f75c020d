/** "" and "0" say "whichever": a watch that went on from there would miss what was deleted meanwhile. */
export function isVersion(version: string | undefined): version is string {
  return version !== undefined && version !== "" && version !== "0";
}
