import type { CheckRuleId } from "../model/check-rules.js";
import type { RuleOrigin } from "../model/rule-origin.js";

/** A problem of one object before its position is known. */
export interface RawFinding {
  readonly rule: CheckRuleId;
  readonly message: string;
  readonly field?: string | undefined;
  readonly reason?: string | undefined;
  readonly hint?: string | undefined;
  /** JSON type of the value that Go's decoder rejects. */
  readonly found?: string | undefined;
  /** The expression of a policy or definition behind the problem. */
  readonly origin?: RuleOrigin | undefined;
}

/** A problem, and the releases for which it holds when not for all. */
export interface VersionedFinding extends RawFinding {
  readonly versions?: readonly string[] | undefined;
  /** Offset in the document, for problems without a field. */
  readonly offset?: number | undefined;
}
