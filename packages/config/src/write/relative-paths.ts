import { isAbsolute, relative, resolve, sep } from "node:path";

/** Fields of clusters and users that are paths. */
const pathFields: ReadonlySet<string> = new Set([
  "certificate-authority",
  "client-certificate",
  "client-key",
  "tokenFile",
]);

type Stanza = Readonly<Record<string, unknown>>;

/**
 * A stanza as it goes into a file of this folder: paths that did not change as they stand there, others relative to the folder
 * where they are below it and absolute elsewhere, never with `..`.
 *
 * @param written - as the file has it now.
 * @param before - the same, with its paths made absolute.
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

/** A changed command stays absolute: made relative it could become a name for PATH. */
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
