import { ConfigProblem } from "./config-problem.js";

/**
 * Reads YAML or JSON. The parser is loaded here, so that programs that read no file never load it.
 *
 * @throws {ConfigProblem} `Malformed`, with line and column and without a word of the text: it may hold secrets, and
 *   the parser's own message quotes it. For the same reason the parser's error is not kept.
 */
export async function parseYaml(text: string, file: string): Promise<unknown> {
  if (/^\s*\{/.test(text)) {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      // A flow mapping of YAML, perhaps; if it is not, YAML's error has the position.
    }
  }
  const { load, YAMLException } = await import("js-yaml");
  try {
    return load(text, { filename: file });
  } catch (error) {
    if (!(error instanceof YAMLException)) {
      throw error;
    }
    if (error.reason.startsWith("expected a document")) {
      return undefined;
    }
    const { mark } = error;
    const at = mark ? `:${mark.line + 1}:${mark.column + 1}` : "";
    // A reason may quote as well: a name in quotes or angle brackets.
    const reason = error.reason.replace(/["'`<].*$/s, "…");
    throw new ConfigProblem("Malformed", `${file}${at} is not YAML: ${reason}`);
  }
}
