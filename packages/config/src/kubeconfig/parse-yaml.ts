import {
  defaultLimits,
  nestsDeeperThan,
  readYamlDocuments,
  YamlProblem,
} from "@typekube/core/internal";
import { ConfigProblem } from "../errors/config-problem.js";

/**
 * Parses YAML or JSON as kubectl does: special words and merge keys follow YAML 1.1, of several documents the first
 * counts, and of a duplicate key the last value. Loads the parser on first use, so that programs that read no file
 * never load it.
 *
 * @throws {ConfigProblem} `Malformed`, with line and column but without the text, which may contain secrets.
 */
export async function parseYaml(text: string, file: string): Promise<unknown> {
  if (/^\s*\{/.test(text)) {
    if (nestsDeeperThan(text, defaultLimits.maxDepth)) {
      throw new ConfigProblem(
        "Malformed",
        `${file} nests deeper than maxDepth (${defaultLimits.maxDepth})`,
      );
    }
    try {
      return JSON.parse(text) as unknown;
    } catch {
      // It may be a YAML flow mapping; otherwise YAML's error has the position.
    }
  }
  try {
    return withNumbers((await readYamlDocuments(text, takeLast))[0]);
  } catch (error) {
    if (!(error instanceof YamlProblem)) {
      throw error;
    }
    const before = text.slice(0, error.offset).split(/\r\n|\n|\r/);
    const at = `:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
    throw new ConfigProblem("Malformed", `${file}${at} is not YAML: ${error.message}`);
  }
}

/** Lets the last value of a duplicate key win, as kubectl does. */
function takeLast(): void {}

/**
 * Converts bigints to numbers, as JSON.parse does: the content is written as JSON and YAML again, which cannot express
 * bigints.
 */
function withNumbers(value: unknown): unknown {
  if (typeof value === "bigint") {
    return Number(value);
  }
  if (Array.isArray(value)) {
    return value.map(withNumbers);
  }
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withNumbers(member)]))
    : value;
}
