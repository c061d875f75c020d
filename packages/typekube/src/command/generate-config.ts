import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** Name of the configuration that the command finds by itself. */
export const configName = "typekube.config.json";

/** A configuration, and the folder to which its paths are relative. */
export interface GenerateConfig {
  readonly options: Readonly<Record<string, unknown>>;
  readonly folder: string;
}

/**
 * Reads the configuration `{ "generate": { ... } }` of a file.
 *
 * @param file - a path, or `undefined` for {@link configName} of the folder, which may be missing.
 * @throws {Error} for a file that is missing, is not JSON, or has unknown keys.
 */
export async function readGenerateConfig(
  folder: string,
  file: string | undefined,
): Promise<GenerateConfig> {
  const path = resolve(folder, file ?? configName);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (file === undefined && (error as NodeJS.ErrnoException).code === "ENOENT") {
      return { options: {}, folder };
    }
    throw new Error(`cannot read ${file ?? configName}: ${(error as Error).message}`);
  }
  return { options: parsed(text, file ?? configName), folder: dirname(path) };
}

function parsed(text: string, name: string): Readonly<Record<string, unknown>> {
  let config: unknown;
  try {
    config = JSON.parse(text);
  } catch (error) {
    throw new Error(`${name} is not JSON: ${(error as Error).message}`);
  }
  if (!isObject(config)) {
    throw new Error(`${name} must be an object with the key "generate"`);
  }
  const unknown = Object.keys(config).find((key) => key !== "generate");
  if (unknown !== undefined) {
    throw new Error(`${name}: unknown key "${unknown}"; the only key is "generate"`);
  }
  const { generate = {} } = config;
  if (!isObject(generate)) {
    throw new Error(`${name}: "generate" must be an object`);
  }
  return generate;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
