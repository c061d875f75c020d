import { readYamlDocuments, YamlProblem } from "@typekube/core/internal";

/**
 * Parses the output of a plugin as client-go does: JSON or YAML, with or without a byte order mark. Of several
 * documents only the first counts.
 *
 * @returns `undefined` for any other output. The parser's error is dropped, since it quotes the output.
 */
export async function parseExecOutput(output: string): Promise<unknown> {
  try {
    return JSON.parse(output) as unknown;
  } catch {
    return parseYaml(output);
  }
}

async function parseYaml(output: string): Promise<unknown> {
  try {
    return (await readYamlDocuments(output, () => {}))[0];
  } catch (error) {
    if (error instanceof YamlProblem) {
      return undefined;
    }
    throw error;
  }
}
