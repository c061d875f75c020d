import type { CheckResult, CheckSummary } from "./model/check-result.js";

/** Counts the results of a check. */
export class SummaryCounter {
  readonly #statuses = { valid: 0, warned: 0, invalid: 0, skipped: 0 };
  readonly #severities = { error: 0, warning: 0, note: 0 };
  readonly #skippedBy = new Map<string, number>();
  #accepted = 0;
  #notEvaluated = 0;

  /** Adds a result. */
  add({ status, findings, accepted, notEvaluated, reason }: CheckResult): void {
    this.#statuses[status] += 1;
    for (const { severity } of findings) {
      this.#severities[severity] += 1;
    }
    this.#accepted += accepted.length;
    this.#notEvaluated += notEvaluated.length;
    if (reason !== undefined) {
      this.#skippedBy.set(reason, (this.#skippedBy.get(reason) ?? 0) + 1);
    }
  }

  /** The counts so far. */
  get summary(): CheckSummary {
    const { valid, warned, invalid, skipped } = this.#statuses;
    const { error, warning, note } = this.#severities;
    return {
      checked: valid + warned + invalid,
      valid,
      warned,
      invalid,
      skipped,
      skippedBy: Object.fromEntries(this.#skippedBy),
      errors: error,
      warnings: warning,
      notes: note,
      accepted: this.#accepted,
      notEvaluated: this.#notEvaluated,
    };
  }
}
