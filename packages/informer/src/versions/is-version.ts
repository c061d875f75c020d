/**
 * Returns true for a resourceVersion to resume from. "" and "0" mean any: a watch from there would miss deletions in
 * between.
 */
export function isVersion(version: string | undefined): version is string {
  return version !== undefined && version !== "" && version !== "0";
}
