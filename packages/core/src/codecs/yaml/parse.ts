import { defaultLimits, type Limits } from "../../limits.js";
import { Construction, type DuplicateKey } from "./construct.js";
import type { Yaml } from "./js-yaml.js";
import { withBlockBreaks } from "./line-breaks.js";
import { YamlProblem } from "./yaml-problem.js";

/**
 * Reads the documents of a YAML text.
 *
 * @throws {YamlProblem}
 */
export function parseYaml(
  yaml: Yaml,
  text: string,
  limits: Partial<Limits> = {},
  onDuplicateKey?: DuplicateKey,
): unknown[] {
  const maxDepth = limits.maxDepth ?? defaultLimits.maxDepth;
  const all = {
    maxDepth,
    maxYamlAliases: limits.maxYamlAliases ?? defaultLimits.maxYamlAliases,
    maxObjectBytes: limits.maxObjectBytes ?? defaultLimits.maxObjectBytes,
  };
  const construction = new Construction(yaml, text, all, onDuplicateKey);
  try {
    // The parser counts a key or a scalar as one level more; the construction counts exactly.
    return construction.run(yaml.parseEvents(withBlockBreaks(text), { maxDepth: maxDepth + 2 }));
  } catch (error) {
    throw problemOf(yaml, error, maxDepth);
  }
}

function problemOf(yaml: Yaml, error: unknown, maxDepth: number): unknown {
  const isParser = error instanceof yaml.YAMLException;
  const offset = isParser ? (error.mark?.position ?? 0) : 0;
  // The parser is recursive: where the limit was raised, the stack may end before it.
  if (error instanceof RangeError || (isParser && error.reason.startsWith("nesting"))) {
    return new YamlProblem(`nests deeper than maxDepth (${maxDepth})`, offset, "maxDepth");
  }
  return isParser ? new YamlProblem(withoutQuotations(error.reason), offset) : error;
}

/** The parser's reason without what it may quote of the text: names of tags and their handles. */
function withoutQuotations(reason: string): string {
  return reason.replace(/".*$/s, "…").replace(/(?<=such characters: ).*$/s, "…");
}
