import {
  defaultLimits,
  nestsDeeperThan,
  readYamlDocuments,
  YamlProblem,
} from "@typekube/core/internal";
import { ConfigProblem } from "./config-problem.js";

/**
 * Reads YAML or JSON as kubectl does: words and merge keys are those of YAML 1.1, and of several documents the first counts, of a key
 * that occurs twice the last. The parser is loaded here, so that programs that read no file never load it.
 *
 * @throws {ConfigProblem} `Malformed`, with line and column and without a word of the text: it may hold secrets.
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
      // A flow mapping of YAML, perhaps; if it is not, YAML's error has the position.
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

/** Of a key that occurs twice in one mapping the last value counts, as for kubectl. */
function takeLast(): void {}

/** With numbers in place of bigints, as JSON's parser has it: what a file says goes to JSON and YAML again, which know none. */
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
