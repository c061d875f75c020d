import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { mark, type NamedDefinition, textOf } from "./crd-definitions.js";

/**
 * Writes each definition to a file of its own, unless the file has this text already.
 *
 * @returns the report.
 * @throws {Error} naming a file that the command did not write; it stays as it is.
 */
export async function writeDefinitions(
  definitions: readonly NamedDefinition[],
  output: string,
  folder: string,
): Promise<string> {
  const place = resolve(folder, output);
  await mkdir(place, { recursive: true });
  const rows: string[] = [];
  for (const definition of definitions) {
    const file = `${definition.name}.yaml`;
    const state = await writeIfChanged(join(place, file), join(output, file), textOf([definition]));
    rows.push(`${state} ${join(output, file)}`);
  }
  for (const file of await staleFiles(place, definitions)) {
    rows.push(`no longer defined, remove it: ${join(output, file)}`);
  }
  return `${rows.join("\n")}\n`;
}

async function writeIfChanged(file: string, shown: string, text: string): Promise<string> {
  const before = await textIn(file);
  if (before?.replaceAll("\r\n", "\n") === text) {
    return "unchanged";
  }
  if (before !== undefined && !before.startsWith(mark)) {
    throw new Error(`${shown} was not written by typekube crd print, and is not overwritten`);
  }
  await writeFile(file, text);
  return before === undefined ? "created" : "updated";
}

async function staleFiles(
  folder: string,
  definitions: readonly NamedDefinition[],
): Promise<string[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".yaml")).sort();
  const stale: string[] = [];
  for (const file of files) {
    const isDefined = definitions.some(({ name }) => file === `${name}.yaml`);
    if (!isDefined && (await textIn(join(folder, file)))?.startsWith(mark) === true) {
      stale.push(file);
    }
  }
  return stale;
}

async function textIn(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      return undefined;
    }
    throw error;
  }
}
