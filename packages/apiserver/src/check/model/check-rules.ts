import type { Severity } from "./finding.js";

/** A rule: its default severity and what it finds. */
export interface CheckRule {
  readonly severity: Severity;
  readonly description: string;
}

/** The rules of `check()`, by the identifier that findings, severities and exceptions use. */
export const checkRules = {
  "yaml-syntax": { severity: "error", description: "The document is not YAML or JSON." },
  "too-large": { severity: "error", description: "The document exceeds a size or nesting limit." },
  template: {
    severity: "error",
    description: "The document is a template that has not been rendered.",
  },
  "not-a-manifest": { severity: "error", description: "The document has no apiVersion and kind." },
  "duplicate-key": { severity: "error", description: "A mapping has the same key twice." },
  "unknown-kind": { severity: "error", description: "No known group has the kind." },
  "unknown-version": {
    severity: "error",
    description: "The kind exists, but not in this group or version.",
  },
  "not-served": {
    severity: "error",
    description: "A definition has this version, but does not serve it.",
  },
  "removed-api": { severity: "error", description: "The release no longer serves the version." },
  "deprecated-api": { severity: "warning", description: "The version of the kind is deprecated." },
  "unknown-field": { severity: "error", description: "The schema does not have the field." },
  "wrong-type": { severity: "error", description: "The server cannot decode a value." },
  "field-required": { severity: "error", description: "A required field is missing." },
  "field-invalid": { severity: "error", description: "A value is invalid." },
  "field-type": { severity: "error", description: "A value has the wrong type." },
  "field-duplicate": { severity: "error", description: "A list has an entry twice." },
  "field-forbidden": { severity: "error", description: "A field may not be set here." },
  "field-not-supported": {
    severity: "error",
    description: "A value is not one of the supported values.",
  },
  "field-not-found": { severity: "error", description: "A value refers to nothing." },
  "field-too-long": { severity: "error", description: "A value is too long." },
  "field-too-many": { severity: "error", description: "A list or map has too many entries." },
  "definition-invalid": {
    severity: "error",
    description: "An expression of a definition or policy does not compile, or costs too much.",
  },
  policy: { severity: "error", description: "An admission policy denies the object." },
  "policy-warning": { severity: "warning", description: "An admission policy warns." },
  "policy-mutation": { severity: "note", description: "A mutating policy changes the object." },
  "pod-security": {
    severity: "error",
    description: "A pod violates the Pod Security level of its namespace.",
  },
  "pod-security-warning": {
    severity: "warning",
    description: "Pods of a workload would violate the Pod Security level of their namespace.",
  },
  "missing-object": {
    severity: "error",
    description: "The server needs another object that is not in the input.",
  },
  rejected: { severity: "error", description: "The server rejects the object for another reason." },
  "server-warning": { severity: "warning", description: "The server warns." },
  "namespace-scope": {
    severity: "error",
    description: "A cluster-scoped object has a namespace.",
  },
  "duplicate-object": { severity: "error", description: "Two manifests describe one object." },
  "server-field": {
    severity: "warning",
    description: "A field that the server sets, which an apply would claim or fail on.",
  },
  "apply-list-key": {
    severity: "warning",
    description: "An entry of a list lacks the key by which an apply merges the list.",
  },
  "zero-value": {
    severity: "note",
    description: "A null or an empty status, which an apply ignores instead of removing a field.",
  },
  reference: {
    severity: "warning",
    description: "A referenced object is not in the input. Checked with `references`.",
  },
  "unused-exception": { severity: "warning", description: "An exception matches no finding." },
  "exception-without-reason": {
    severity: "warning",
    description: "An exception states no reason.",
  },
  "check-failed": { severity: "error", description: "The check itself failed." },
} as const;

/** Identifier of a rule. */
export type CheckRuleId = keyof typeof checkRules;

/** Returns true for the identifier of a rule. */
export function isCheckRule(id: string): id is CheckRuleId {
  return Object.hasOwn(checkRules, id);
}
