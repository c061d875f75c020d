import { readdir, readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { DefinitionText, SourceProblem } from "@typekube/crd/generate";

/** Texts of the inputs, and inputs that cannot be read. */
export interface InputTexts {
  readonly texts: readonly DefinitionText[];
  readonly problems: readonly SourceProblem[];
}

/**
 * Reads files, folders and standard input (`-`). Of a folder it reads the YAML and JSON files that mention definitions,
 * except in `node_modules` and in folders whose names begin with a dot.
 */
export async function readInputs(
  inputs: readonly string[],
  folder: string,
  standardInput: AsyncIterable<string | Uint8Array>,
): Promise<InputTexts> {
  const texts: DefinitionText[] = [];
  const problems: SourceProblem[] = [];
  for (const input of inputs) {
    try {
      texts.push(...(await readInput(input, folder, standardInput)));
    } catch (error) {
      problems.push({ place: input, message: (error as Error).message });
    }
  }
  return { texts, problems };
}

async function readInput(
  input: string,
  folder: string,
  standardInput: AsyncIterable<string | Uint8Array>,
): Promise<DefinitionText[]> {
  if (input === "-") {
    return [{ name: "-", text: await collect(standardInput) }];
  }
  const path = resolve(folder, input);
  if (!(await stat(path)).isDirectory()) {
    return [{ name: input, text: await readFile(path, "utf8") }];
  }
  const texts: DefinitionText[] = [];
  for (const file of await manifestsIn(path)) {
    const text = await readFile(join(path, file), "utf8");
    if (mention.test(text)) {
      texts.push({ name: join(input, file), text });
    }
  }
  return texts;
}

/** A JSON Schema may mention definitions in its descriptions. */
const mention = /\bkind["']?\s*:\s*["']?CustomResourceDefinition(?:List)?\b/;

/** Returns the paths of YAML and JSON files in a folder and below, in order. */
async function manifestsIn(folder: string, below = ""): Promise<string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(below, entry.name);
    if (entry.isDirectory()) {
      const isSkipped = entry.name.startsWith(".") || entry.name === "node_modules";
      found.push(...(isSkipped ? [] : await manifestsIn(folder, path)));
    } else if (/\.(?:ya?ml|json)$/i.test(entry.name)) {
      found.push(path);
    }
  }
  return found;
}

async function collect(chunks: AsyncIterable<string | Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) {
    parts.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  }
  return Buffer.concat(parts).toString("utf8");
}
