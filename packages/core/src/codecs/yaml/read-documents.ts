import type { DuplicateKey } from "./duplicate-key.js";
import { loadYaml } from "./js-yaml.js";

/**
 * Reads the documents of a YAML text as API servers and kubectl do. Loads the parser on first use.
 *
 * @param onDuplicateKey - called for a key that occurs twice in one mapping; the last value counts. Without it, such a
 * key is a problem.
 * @throws {YamlProblem} with the position in the text, without any of its content.
 */
export async function readYamlDocuments(
  text: string,
  onDuplicateKey?: DuplicateKey,
): Promise<unknown[]> {
  const [{ parseYaml }, yaml] = await Promise.all([import("./parse.js"), loadYaml()]);
  return parseYaml(yaml, text, {}, onDuplicateKey);
}
