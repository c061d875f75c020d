import { loadYaml } from "./js-yaml.js";

/**
 * Reads the documents of a YAML text as API servers and kubectl do. What reads it is loaded on first use.
 *
 * @throws {YamlProblem} with the place in the text and none of its words.
 */
export async function readYamlDocuments(text: string): Promise<unknown[]> {
  const [{ parseYaml }, yaml] = await Promise.all([import("./parse.js"), loadYaml()]);
  return parseYaml(yaml, text);
}
