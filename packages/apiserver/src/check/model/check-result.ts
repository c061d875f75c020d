import type { AcceptedFinding, CheckedObject, CheckLocation, Finding } from "./finding.js";

/** Outcome for one object, or for a document that holds none. */
export interface CheckResult {
  /** Absent for a document without an object. */
  readonly object?: CheckedObject | undefined;
  readonly location: CheckLocation;
  readonly status: "invalid" | "skipped" | "valid" | "warned";
  /** Why a document was skipped. */
  readonly reason?: string | undefined;
  readonly findings: readonly Finding[];
  /** Findings that exceptions in the manifest accept. */
  readonly accepted: readonly AcceptedFinding[];
  /** Rules of the definition that compare with an old object, and were not evaluated because none was given. */
  readonly notEvaluated: readonly string[];
  /** Changes by mutating policies, one line per field, such as `+ metadata.labels.team: "web"`. */
  readonly mutation: readonly string[];
}

/** Counts of a check. */
export interface CheckSummary {
  /** Objects, and documents that should have been one. */
  readonly checked: number;
  readonly valid: number;
  /** Objects with warnings and without errors. */
  readonly warned: number;
  readonly invalid: number;
  readonly skipped: number;
  /** Skipped documents by reason. */
  readonly skippedBy: Readonly<Record<string, number>>;
  readonly errors: number;
  readonly warnings: number;
  readonly notes: number;
  /** Findings that exceptions in manifests accept. */
  readonly accepted: number;
  /** Rules that compare with an old object, counted once for each object, that were not evaluated. */
  readonly notEvaluated: number;
}

/** Result of a check. */
export interface CheckReport {
  /** Releases of Kubernetes that the objects were checked for. */
  readonly versions: readonly string[];
  /** `true` without errors. */
  readonly valid: boolean;
  readonly summary: CheckSummary;
  /** One result per object, in the order of the input. */
  readonly results: readonly CheckResult[];
  /** All findings, in the order of the results. */
  readonly findings: readonly Finding[];
  /** Statements about the check as a whole, such as the schemas that an older release is checked with. */
  readonly notes: readonly string[];
}
