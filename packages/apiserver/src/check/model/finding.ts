/** Severity of a finding. Only errors make an object invalid. */
export type Severity = "error" | "note" | "warning";

/** Place in an input. Lines and columns count from 1, columns in UTF-16 code units; absent for objects of a program. */
export interface CheckLocation {
  /** Name of the source, such as a path; `objects` for objects of a program. */
  readonly source: string;
  /** Number of the document in its source, from 1. */
  readonly document: number;
  /** File that a renderer named in a comment `# Source:`, such as a template of a chart. */
  readonly template?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly endLine?: number | undefined;
  /** Column after the last character. */
  readonly endColumn?: number | undefined;
}

/** Identity of a checked object, as far as the manifest has it. */
export interface CheckedObject {
  readonly apiVersion: string;
  readonly kind: string;
  /** Namespace of the request; absent for cluster-scoped objects. */
  readonly namespace?: string | undefined;
  /** Name, or `generateName` followed by `*`. */
  readonly name: string;
}

/** Another place that explains a finding, such as the expression of a policy that failed. */
export interface RelatedLocation {
  /** Name of the place, such as `expression of ValidatingAdmissionPolicy team`. */
  readonly message: string;
  readonly location: CheckLocation;
}

/** A problem of one object or document. */
export interface Finding {
  /** Identifier of the rule, such as `unknown-field`; `checkRules` describes each. */
  readonly rule: string;
  readonly severity: Severity;
  /** The server's message, or ours. Values of Secrets are masked. */
  readonly message: string;
  /** Reason of the server's cause, such as `FieldValueRequired`; absent for other rules. */
  readonly reason?: string | undefined;
  /** Path of the field, such as `spec.template.spec.containers[0].image`. */
  readonly field?: string | undefined;
  /** Absent for a document without an object. */
  readonly object?: CheckedObject | undefined;
  readonly location: CheckLocation;
  /** Expressions of policies and definitions behind the finding; absent without any. */
  readonly related?: readonly RelatedLocation[] | undefined;
  /** The line of the location, with values of Secrets masked. */
  readonly excerpt?: string | undefined;
  /** Advice; absent where a rule has none. */
  readonly hint?: string | undefined;
  /** Releases for which the finding holds, when several were checked. */
  readonly versions?: readonly string[] | undefined;
}

/** A finding that an exception in the manifest accepts. */
export interface AcceptedFinding extends Finding {
  /** The reason in the manifest. */
  readonly because: string;
}
