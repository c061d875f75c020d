import { readFile, realpath } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";

/** Name for programs that have none: an interactive Node, code given with `--eval`. */
const unnamed = "typekube";

/** Bytes that a server takes. */
const maxBytes = 128;

let found: Promise<string> | undefined;

/**
 * Returns the field manager of an apply that names none: the `name` of the package.json that the program's main module belongs to,
 * else the main module's file name without extension (its folder's for `index`). Two programs thus conflict over a field, where one
 * name for all would let each take the other's fields away in silence. Read once per process.
 */
export function defaultFieldManager(): Promise<string> {
  found ??= programName(process.argv[1]);
  return found;
}

/** The name of the program with this main module; exported for tests. */
export async function programName(main: string | undefined): Promise<string> {
  if (!main) {
    return unnamed;
  }
  // A command of npm is a symbolic link into its package. A path without an extension may be resolved by Node.
  const path = await realpath(main).catch(() => main);
  return fitting((await packageName(dirname(path))) ?? fileName(path)) || unnamed;
}

async function packageName(folder: string): Promise<string | undefined> {
  try {
    const { name } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as {
      readonly name?: unknown;
    };
    if (typeof name === "string" && name !== "") {
      return name;
    }
  } catch {
    // Missing, unreadable or not JSON: the next folder may have one.
  }
  const parent = dirname(folder);
  return parent === folder ? undefined : packageName(parent);
}

function fileName(path: string): string {
  const name = basename(path, extname(path));
  return name === "index" ? basename(dirname(path)) : name;
}

/** Cuts a name to what a server takes: printable characters, 128 bytes. */
function fitting(name: string): string {
  const printable = name.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S}]/gu, "");
  let text = printable;
  while (Buffer.byteLength(text) > maxBytes) {
    text = [...text].slice(0, -1).join("");
  }
  return text;
}
