/** Reasons that a validation can give; each has its own status code. */
export type DenialReason = "Forbidden" | "Invalid" | "RequestEntityTooLarge" | "Unauthorized";

/** The decision of one validation of a policy, or of the policy as a whole if it could not be evaluated. */
export interface PolicyDecision {
  /** "admit" also for an error of a policy that ignores errors. */
  readonly action: "admit" | "deny";
  /** How the decision came about. */
  readonly evaluation: "admit" | "deny" | "error";
  /** Why it denies, or the error; empty for a validation that holds. */
  readonly message: string;
  /** Reason of a denial; absent for errors. */
  readonly reason?: DenialReason;
}

/** The outcome of one audit annotation. */
export interface AnnotationOutcome {
  readonly key: string;
  /** "exclude" for null, an empty text, and errors of a policy that ignores them. */
  readonly action: "error" | "exclude" | "publish";
  /** Present for "publish". */
  readonly value?: string;
  /** Present for an expression that failed. */
  readonly error?: string;
}

/** The decisions of a policy about one request with one parameter. */
export interface PolicyVerdict {
  /** One for each validation, or a single one for an error; none if a match condition is false. */
  readonly decisions: readonly PolicyDecision[];
  readonly annotations: readonly AnnotationOutcome[];
  /** Units that match conditions, validations, messages and annotations cost. */
  readonly cost: number;
}

const codes = {
  Forbidden: 403,
  Invalid: 422,
  RequestEntityTooLarge: 413,
  Unauthorized: 401,
} as const satisfies Readonly<Record<DenialReason, number>>;

/** Returns the reason that a validation names; "Invalid" by default. */
export function reasonOf(reason: string | undefined): DenialReason {
  return isReason(reason) ? reason : "Invalid";
}

function isReason(reason: string | undefined): reason is DenialReason {
  return reason !== undefined && Object.hasOwn(codes, reason);
}

/** Returns the HTTP status of a denial. */
export function codeOfReason(reason: DenialReason): number {
  return codes[reason];
}
