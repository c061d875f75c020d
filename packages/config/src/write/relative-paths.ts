import { isAbsolute, relative, resolve, sep } from "node:path";

/** Fields of clusters and users that contain paths. */
const pathFields: ReadonlySet<string> = new Set([
  "certificate-authority",
  "client-certificate",
  "client-key",
  "tokenFile",
]);

type Stanza = Readonly<Record<string, unknown>>;

/**
 * Returns a stanza as written to a file in this folder. Unchanged paths stay as written; other paths become relative
 * when they are below the folder, and absolute otherwise, never with `..`.
 *
 * @param written - the stanza as the file contains it now.
 * @param before - the same stanza with absolute paths.
 */
export function withRelativePaths(
  value: Stanza,
  written: Stanza | undefined,
  before: Stanza | undefined,
  folder: string,
): Stanza {
  return Object.fromEntries(
    Object.entries(value).map(([field, member]) => {
      if (field === "exec") {
        return [field, withCommand(member, written?.["exec"], before?.["exec"])];
      }
      if (typeof member !== "string" || !pathFields.has(field)) {
        return [field, member];
      }
      return [field, member === before?.[field] ? written?.[field] : relativePath(member, folder)];
    }),
  );
}

/** Keeps a changed command absolute: a relative one could become a name to look up in PATH. */
function withCommand(exec: unknown, written: unknown, before: unknown): unknown {
  const known = (before as Stanza | undefined)?.["command"];
  return typeof exec === "object" && exec !== null && known !== undefined
    ? {
        ...exec,
        ...((exec as Stanza)["command"] === known
          ? { command: (written as Stanza)["command"] }
          : {}),
      }
    : exec;
}

function relativePath(path: string, folder: string): string {
  if (!isAbsolute(path)) {
    return path;
  }
  const found = relative(folder, resolve(path));
  const isBelow =
    found !== "" && found !== ".." && !found.startsWith(`..${sep}`) && !isAbsolute(found);
  return isBelow ? found : path;
}
