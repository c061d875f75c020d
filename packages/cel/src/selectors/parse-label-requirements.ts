import { type LabelRequirement, qualifiedNameTexts } from "@typekube/core/internal/texts";
import { goQuote } from "../text/go-quote.js";
import { compareText } from "../values/code-points.js";
import { checkLabelValues } from "./check-label-values.js";
import { type LabelToken, labelTokens } from "./label-tokens.js";
import { SelectorProblem } from "./selector-problem.js";

const operators: ReadonlyMap<LabelToken["kind"], LabelRequirement["operator"]> = new Map([
  ["in", "In"],
  ["notin", "NotIn"],
  ["=", "In"],
  ["==", "In"],
  ["!=", "NotIn"],
  [">", "Gt"],
  ["<", "Lt"],
]);

/**
 * Parses a label selector as apimachinery's `labels.ParseToRequirements` does.
 *
 * @throws {SelectorProblem} with apimachinery's message.
 */
export function parseLabelRequirements(text: string): LabelRequirement[] {
  return new LabelParser(text).parse().sort((a, b) => compareText(a.key, b.key));
}

class LabelParser {
  readonly #tokens: readonly LabelToken[];
  #position = 0;

  constructor(text: string) {
    this.#tokens = labelTokens(text);
  }

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    for (;;) {
      const { kind, text } = this.#next();
      if (kind === "end") {
        return requirements;
      }
      if (!startsRequirement(kind)) {
        throw new SelectorProblem(`found '${text}', expected: !, identifier, or 'end of string'`);
      }
      requirements.push(this.#requirement());
      const separator = this.#take();
      if (separator.kind === "end") {
        return requirements;
      }
      if (separator.kind !== ",") {
        throw new SelectorProblem(`found '${separator.text}', expected: ',' or 'end of string'`);
      }
      const next = this.#next();
      if (!startsRequirement(next.kind)) {
        throw new SelectorProblem(`found '${next.text}', expected: identifier after ','`);
      }
    }
  }

  #requirement(): LabelRequirement {
    const isNegated = this.#next().kind === "!";
    const { kind, text: key } = isNegated ? this.#skip() : this.#take();
    if (!isText(kind)) {
      throw problem(`found '${key}', expected: identifier`);
    }
    const keyProblems = qualifiedNameTexts(key);
    if (keyProblems.length > 0) {
      throw problem(`<nil>: Invalid value: ${goQuote(key)}: ${keyProblems.join("; ")}`);
    }
    if (isNegated || this.#endsTerm()) {
      return { key, operator: isNegated ? "DoesNotExist" : "Exists", values: [] };
    }
    const sign = this.#take();
    const operator = operators.get(sign.kind);
    if (operator === undefined) {
      throw problem(`found '${sign.text}', expected: in, notin, =, ==, !=, gt, lt`);
    }
    const values = isText(sign.kind) ? this.#list() : [this.#value()];
    const wrong = checkLabelValues(key, operator, values);
    if (wrong !== undefined) {
      throw problem(wrong);
    }
    return { key, operator, values };
  }

  /** Parses the value of a comparison, which may be empty. */
  #value(): string {
    if (this.#endsTerm()) {
      return "";
    }
    const { kind, text } = this.#take();
    if (!isText(kind)) {
      throw problem(`found '${text}', expected: identifier`);
    }
    return text;
  }

  /** Parses values in parentheses; a missing one is empty. Returns each once, in order. */
  #list(): string[] {
    const open = this.#take();
    if (open.kind !== "(") {
      throw problem(`found '${open.text}' expected: '('`);
    }
    const { kind, text } = this.#next();
    if (!(isText(kind) || kind === "," || kind === ")")) {
      throw problem(`found '${text}', expected: ',', ')' or identifier`);
    }
    const values = new Set<string>(kind === ")" ? [""] : []);
    while (this.#next().kind !== ")") {
      this.#listItem(values);
    }
    this.#take();
    return Array.from(values).sort(compareText);
  }

  #listItem(values: Set<string>): void {
    const { kind, text } = this.#take();
    const next = this.#next();
    if (isText(kind)) {
      values.add(text);
      if (next.kind !== "," && next.kind !== ")") {
        throw problem(`found '${next.text}', expected: ',' or ')'`);
      }
      return;
    }
    if (kind !== ",") {
      throw problem(`found '${text}', expected: ',', or identifier`);
    }
    if (values.size === 0 || next.kind === ")" || next.kind === ",") {
      values.add("");
    }
  }

  #endsTerm(): boolean {
    const { kind } = this.#next();
    return kind === "end" || kind === ",";
  }

  #next(): LabelToken {
    return this.#tokens[this.#position] ?? { kind: "end", text: "" };
  }

  #take(): LabelToken {
    const token = this.#next();
    this.#position += 1;
    return token;
  }

  /** Skips a token and takes the next one. */
  #skip(): LabelToken {
    this.#position += 1;
    return this.#take();
  }
}

/** Keywords are texts where no operator is expected. */
function isText(kind: LabelToken["kind"]): boolean {
  return kind === "text" || kind === "in" || kind === "notin";
}

function startsRequirement(kind: LabelToken["kind"]): boolean {
  return isText(kind) || kind === "!";
}

function problem(message: string): SelectorProblem {
  return new SelectorProblem(`unable to parse requirement: ${message}`);
}
