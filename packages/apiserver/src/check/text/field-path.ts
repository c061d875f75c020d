/** Returns the path of a key, in brackets when it has characters of paths. */
export function pathBelow(path: string, key: string): string {
  return /^[\w-]+$/.test(key) ? `${path === "" ? "" : `${path}.`}${key}` : `${path}[${key}]`;
}
