import type { Conjunct } from "@typekube/cel";
import {
  type ExpectRuleOptions,
  type RuleEntry,
  type RuleOutcome,
  type RuleSubject,
  ruleSubject,
} from "./rule-subject.js";

/** Other input of one expectation. */
export interface RuleInput {
  /** The old value of an update, which the rule reads as `oldSelf`. */
  readonly old?: unknown;
}

/** Expectations of a rule. Each method returns the same object, so that calls can be chained. */
export interface RuleExpectation {
  /** Expects that the rule accepts a value. */
  accepts(self: unknown, input?: RuleInput): RuleExpectation;
  /**
   * Expects that the rule rejects a value.
   *
   * @param message - A part of the server's message or of the explanation, or a pattern for them.
   */
  rejects(self: unknown, message?: string | RegExp, input?: RuleInput): RuleExpectation;
  /**
   * Expects that the values so far cover the rule: one was accepted, and each conjunct was false for one that was
   * rejected. A conjunct that is never false could be left out without any test noticing.
   */
  covers(): RuleExpectation;
}

/**
 * Tests a validation rule (`x-kubernetes-validations`) without a server.
 *
 * @param rule - The expression, or an entry of `x-kubernetes-validations`.
 * @throws {Error} for a rule that a server refuses.
 * @example
 * ```ts
 * expectRule("self.replicas <= self.max")
 *   .accepts({ replicas: 1, max: 2 })
 *   .rejects({ replicas: 7, max: 5 }, "self.replicas (7) <= self.max (5)")
 *   .covers();
 * ```
 */
export function expectRule(
  rule: string | RuleEntry,
  options: ExpectRuleOptions = {},
): RuleExpectation {
  const entry = typeof rule === "string" ? { rule } : rule;
  return new Expectation(ruleSubject(entry, options));
}

class Expectation implements RuleExpectation {
  readonly #subject: RuleSubject;
  readonly #falseParts: Conjunct[] = [];
  #hasAccepted = false;

  constructor(subject: RuleSubject) {
    this.#subject = subject;
  }

  accepts(self: unknown, { old }: RuleInput = {}): RuleExpectation {
    const outcome = this.#subject.apply(self, old);
    if (outcome.kind === "rejected") {
      const { explanation, message } = outcome;
      throw failed(this.accepts, [
        `expected the rule to accept ${shown(self)}`,
        message,
        explanation,
      ]);
    }
    this.#hasAccepted ||= outcome.kind === "accepted";
    return this;
  }

  rejects(self: unknown, expected?: string | RegExp, { old }: RuleInput = {}): RuleExpectation {
    const outcome = this.#subject.apply(self, old);
    if (outcome.kind !== "rejected") {
      throw failed(this.rejects, [
        `expected the rule to reject ${shown(self)}`,
        outcome.kind === "skipped"
          ? "the rule reads oldSelf, so that a server skips it on a create: pass { old }"
          : this.#subject.rule.source,
      ]);
    }
    if (expected !== undefined && !matches(outcome, expected)) {
      throw failed(this.rejects, [
        `expected the message to contain ${String(expected)}, not:`,
        outcome.message,
        outcome.explanation,
      ]);
    }
    this.#falseParts.push(...outcome.conjuncts);
    return this;
  }

  covers(): RuleExpectation {
    const { conjuncts } = this.#subject.rule;
    const missing = conjuncts.filter(
      (part) => !this.#falseParts.some(({ start, end }) => start >= part.start && end <= part.end),
    );
    const problems = [
      ...(this.#hasAccepted ? [] : ["no value was accepted"]),
      ...(missing.length === 0
        ? []
        : [
            `${missing.length} of ${conjuncts.length} conjuncts were never false; reject a value for each:`,
            ...missing.map(({ source }) => `  ${source}`),
          ]),
    ];
    if (problems.length > 0) {
      throw failed(this.covers, ["expected the tests to cover the rule", ...problems]);
    }
    return this;
  }
}

function matches(
  { message, explanation }: Extract<RuleOutcome, { kind: "rejected" }>,
  expected: string | RegExp,
): boolean {
  return [message, explanation].some((text) =>
    typeof expected === "string" ? text.includes(expected) : text.search(expected) >= 0,
  );
}

/** Longest text of a value in an error. */
const maxShown = 200;

function shown(value: unknown): string {
  const text =
    JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? `${part}` : part)) ??
    "undefined";
  return text.length > maxShown ? `${text.slice(0, maxShown)}...` : text;
}

/** Returns an error whose stack begins at the line of the test. */
function failed(method: (...args: never[]) => unknown, lines: readonly string[]): Error {
  const error = new Error(lines.filter((line) => line !== "").join("\n"));
  Error.captureStackTrace(error, method);
  return error;
}
