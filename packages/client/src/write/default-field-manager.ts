import { readFile, realpath } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";

/** Name of programs without a main file: an interactive Node, code passed with `--eval`. */
const unnamed = "typekube";

/** Maximum length that servers accept, in bytes. */
const maxBytes = 128;

let found: Promise<string> | undefined;

/**
 * Returns the field manager of an apply that names none: the `name` in the package.json of the program's main module,
 * otherwise the main module's file name without extension (for `index`, the name of its folder). Two programs therefore
 * conflict over a field; with one common name each would silently remove the other's fields. Determined once per
 * process.
 */
export function defaultFieldManager(): Promise<string> {
  found ??= programName(process.argv[1]);
  return found;
}

/** Returns the name of the program with this main module. Exported for tests. */
export async function programName(main: string | undefined): Promise<string> {
  if (!main) {
    return unnamed;
  }
  // npm commands are symbolic links into their package. `realpath` fails for a path whose extension Node adds.
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
    // Missing, unreadable or not JSON: try the parent folder.
  }
  const parent = dirname(folder);
  return parent === folder ? undefined : packageName(parent);
}

function fileName(path: string): string {
  const name = basename(path, extname(path));
  return name === "index" ? basename(dirname(path)) : name;
}

/** Reduces a name to what servers accept: printable characters, at most 128 bytes. */
function fitting(name: string): string {
  const printable = name.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S}]/gu, "");
  let text = printable;
  while (Buffer.byteLength(text) > maxBytes) {
    text = [...text].slice(0, -1).join("");
  }
  return text;
}
