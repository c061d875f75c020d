import type { Event } from "js-yaml";
import { defaultLimits, type Limits } from "../../options/limits.js";
import { Construction } from "./construct.js";
import type { DuplicateKey } from "./duplicate-key.js";
import { withFlowOnOneLine } from "./flow-lines.js";
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
    return construction.run(eventsOf(yaml, text, maxDepth));
  } catch (error) {
    throw problemOf(yaml, error, maxDepth);
  }
}

/**
 * Returns the events of a YAML text as {@link parseYaml} reads it, for programs that need positions.
 *
 * @throws {YamlProblem}
 */
export function yamlEvents(yaml: Yaml, text: string): readonly Event[] {
  const { maxDepth } = defaultLimits;
  try {
    return eventsOf(yaml, text, maxDepth);
  } catch (error) {
    throw problemOf(yaml, error, maxDepth);
  }
}

/**
 * Parses a text, and parses it again where the parser is stricter than go-yaml 2: it rejects the text, or ends a scalar
 * in a flow collection at a colon that belongs to the scalar.
 */
function eventsOf(yaml: Yaml, text: string, maxDepth: number): readonly Event[] {
  // The parser counts a key or a scalar as one more level; the construction counts exactly.
  const parse = (source: string) =>
    yaml.parseEvents(withBlockBreaks(source), { maxDepth: maxDepth + 2 });
  let events: readonly Event[] | undefined;
  let refusal: unknown;
  try {
    events = parse(text);
  } catch (error) {
    refusal = error;
  }
  if (events !== undefined && !cutsAtColon(yaml, text, events)) {
    return events;
  }
  const widened =
    refusal instanceof RangeError || isTooDeep(yaml, refusal) ? text : withFlowOnOneLine(text);
  if (widened === text) {
    if (events === undefined) {
      throw refusal;
    }
    return events;
  }
  // Values are read from the original text, where they may span several lines.
  return parse(widened).map((event) =>
    event.type === yaml.EVENT_ID.SCALAR && event.fast
      ? { ...event, fast: !/[\n\r]/.test(text.slice(event.valueStart, event.valueEnd)) }
      : event,
  );
}

/** Returns true when a plain scalar ends at a colon without a blank after it. */
function cutsAtColon(yaml: Yaml, text: string, events: readonly Event[]): boolean {
  const colon = /:[,[\]{}]/y;
  return (
    /:[,[\]{}]/.test(text) &&
    events.some((event) => {
      if (event.type !== yaml.EVENT_ID.SCALAR || event.style !== yaml.SCALAR_STYLE.PLAIN) {
        return false;
      }
      colon.lastIndex = event.valueEnd;
      return event.valueEnd >= 0 && colon.test(text);
    })
  );
}

function isTooDeep(yaml: Yaml, error: unknown): boolean {
  return error instanceof yaml.YAMLException && error.reason.startsWith("nesting");
}

function problemOf(yaml: Yaml, error: unknown, maxDepth: number): unknown {
  const isParser = error instanceof yaml.YAMLException;
  const offset = isParser ? (error.mark?.position ?? 0) : 0;
  // The parser is recursive: with a raised limit, the call stack may overflow first.
  if (error instanceof RangeError || isTooDeep(yaml, error)) {
    return new YamlProblem(`nests deeper than maxDepth (${maxDepth})`, offset, "maxDepth");
  }
  return isParser ? new YamlProblem(withoutQuotations(error.reason), offset) : error;
}

/** Returns the parser's reason without quotations from the text: names of tags and their handles. */
function withoutQuotations(reason: string): string {
  return reason.replace(/".*$/s, "…").replace(/(?<=such characters: ).*$/s, "…");
}
