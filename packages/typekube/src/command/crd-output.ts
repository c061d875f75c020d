import { lstat, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isMarked, type NamedDefinition, textOf } from "./crd-definitions.js";

/** A file of a definition, and what is to do about it. */
interface PlannedFile {
  /** Name of the file in the folder. */
  readonly file: string;
  readonly text: string;
  readonly state: "created" | "foreign" | "no file" | "unchanged" | "updated";
}

/**
 * Writes each definition to a file of its own, unless the file has this text already.
 *
 * @returns the report.
 * @throws {Error} naming the files that the command did not write; then it has written nothing.
 */
export async function writeDefinitions(
  definitions: readonly NamedDefinition[],
  output: string,
  folder: string,
): Promise<string> {
  const place = resolve(folder, output);
  const plan: PlannedFile[] = [];
  for (const definition of definitions) {
    plan.push(await planFile(place, `${definition.name}.yaml`, textOf([definition])));
  }
  const obstacles = plan.flatMap(({ file, state }) =>
    state === "foreign"
      ? [`${join(output, file)} was not written by typekube crd print, and is not overwritten`]
      : state === "no file"
        ? [`${join(output, file)} is no file, and is not overwritten`]
        : [],
  );
  if (obstacles.length > 0) {
    throw new Error(obstacles.join("\n"));
  }
  await mkdir(place, { recursive: true });
  for (const { file, text } of plan.filter(({ state }) => state !== "unchanged")) {
    await writeFile(join(place, file), text);
  }
  const stale = await staleFiles(place, new Set(plan.map(({ file }) => file)));
  const rows = [
    ...plan.map(({ file, state }) => `${state} ${join(output, file)}`),
    ...stale.map((file) => `no longer defined, remove it: ${join(output, file)}`),
  ];
  return `${rows.join("\n")}\n`;
}

async function planFile(folder: string, file: string, text: string): Promise<PlannedFile> {
  const before = await contentOf(join(folder, file));
  if (typeof before === "string") {
    const isSame = before.replaceAll("\r\n", "\n") === text;
    return { file, text, state: isSame ? "unchanged" : isMarked(before) ? "updated" : "foreign" };
  }
  return { file, text, state: before === undefined ? "created" : "no file" };
}

/** Returns files that the command wrote for definitions of earlier. */
async function staleFiles(folder: string, defined: ReadonlySet<string>): Promise<string[]> {
  const stale: string[] = [];
  for (const file of (await readdir(folder)).sort()) {
    if (file.endsWith(".yaml") && !defined.has(file)) {
      const content = await contentOf(join(folder, file));
      if (typeof content === "string" && isMarked(content)) {
        stale.push(file);
      }
    }
  }
  return stale;
}

/** Returns the text of a file, `undefined` where nothing is, and `null` for a folder or a link to nothing. */
async function contentOf(path: string): Promise<string | null | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EISDIR") {
      return null;
    }
    if (code === "ENOENT") {
      return (await lstat(path).catch(() => undefined)) === undefined ? undefined : null;
    }
    throw error;
  }
}
