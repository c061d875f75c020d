import type { CheckResult, CheckSummary } from "../model/check-result.js";

/** Facts of a report besides the results. */
export interface ReportFacts {
  readonly versions: readonly string[];
  readonly summary: CheckSummary;
  readonly notes: readonly string[];
}

/** Options of a report. */
export interface ReportOptions {
  /** Colours for terminals. Only the text report has any. Default false. */
  readonly color?: boolean | undefined;
}

/** Writes a report piece by piece, so that results need not be kept. */
export interface ReportWriter {
  /** Returns the text in front of the first result. */
  begin(): string;
  /** Returns the text of one result. */
  result(result: CheckResult): string;
  /** Returns the text after the last result. */
  end(facts: ReportFacts): string;
}
