import { loadDiff } from "@typekube/client/internal";
import { parseManifests, toYaml } from "@typekube/core";
import { type JsonObject, jsonEqual } from "@typekube/core/internal/json";
import type { CommandIo } from "./command-io.js";
import { isMarked, type NamedDefinition } from "./crd-definitions.js";
import { readInputs } from "./generate-inputs.js";

/** Result of a comparison. */
export interface DefinitionsCheck {
  readonly report: string;
  readonly differs: boolean;
}

/** A definition in a file. */
interface StoredDefinition extends NamedDefinition {
  readonly file: string;
  /** True for a file that the command wrote. */
  readonly isOwn: boolean;
}

/**
 * Compares definitions with those in a file or folder. The order of keys, comments and other objects do not count.
 *
 * @throws {Error} for files that cannot be read.
 */
export async function checkDefinitions(
  definitions: readonly NamedDefinition[],
  path: string,
  io: CommandIo,
): Promise<DefinitionsCheck> {
  const stored = await readStored(path, io);
  const { unifiedDiff } = await loadDiff();
  const names = new Set(definitions.map(({ name }) => name));
  const missing = definitions.filter(({ name }) => !stored.some((one) => one.name === name));
  const different = definitions.flatMap(({ name, manifest }) =>
    stored
      .filter((one) => one.name === name && !jsonEqual(one.manifest, manifest))
      .map((one) => {
        const before = toYaml(one.manifest);
        const titles = { before: one.file, after: name };
        return unifiedDiff(before, toYaml(manifest), titles);
      }),
  );
  const stale = stored.filter(({ isOwn, name }) => isOwn && !names.has(name));
  const rows = [
    ...missing.map(({ name }) => `missing in ${path}: ${name}\n`),
    ...different,
    ...stale.map(({ name, file }) => `no longer defined, remove it from ${file}: ${name}\n`),
  ];
  const count = definitions.length;
  const upToDate = `${count} ${count === 1 ? "definition is" : "definitions are"} up to date\n`;
  return { report: rows.length === 0 ? upToDate : rows.join(""), differs: rows.length > 0 };
}

async function readStored(path: string, io: CommandIo): Promise<readonly StoredDefinition[]> {
  const { texts, problems } = await readInputs([path], io.folder, io.input ?? process.stdin);
  const [problem] = problems;
  if (problem !== undefined) {
    throw new Error(`cannot read ${problem.place}: ${problem.message}`);
  }
  const stored: StoredDefinition[] = [];
  for (const { name: file, text } of texts) {
    const isOwn = isMarked(text);
    for (const manifest of await manifestsOf(file, text)) {
      const name = (manifest["metadata"] as JsonObject | undefined)?.["name"];
      if (manifest["kind"] === "CustomResourceDefinition" && typeof name === "string") {
        stored.push({ file, isOwn, name, manifest });
      }
    }
  }
  return stored;
}

async function manifestsOf(file: string, text: string): Promise<readonly JsonObject[]> {
  try {
    return (await parseManifests(text)) as unknown as readonly JsonObject[];
  } catch (error) {
    throw new Error(`cannot read ${file}: ${(error as Error).message}`, { cause: error });
  }
}
