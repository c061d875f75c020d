/**
 * Checks manifests as a Kubernetes API server would, without one.
 *
 * @module @typekube/apiserver/check
 */

// Checks

export { type CheckStream, check, checkEach } from "./check.js";
export type { CheckReport, CheckResult, CheckSummary } from "./model/check-result.js";
export type {
  AcceptedFinding,
  CheckedObject,
  CheckLocation,
  Finding,
  RelatedLocation,
  Severity,
} from "./model/finding.js";

// Policies on the objects of a cluster

export {
  type EvaluatePolicyOptions,
  evaluatePolicy,
  type PolicyEvaluation,
  type PolicyOutcome,
} from "./live/evaluate-policy.js";

// Snapshots of clusters

export {
  type ClusterSnapshot,
  formatSnapshot,
  parseSnapshot,
} from "./snapshot/cluster-snapshot.js";
export { type SnapshotOptions, snapshotCluster } from "./snapshot/snapshot-cluster.js";

// Coverage

export { type KindCoverage, kindCoverage } from "./kind-coverage/kind-coverage.js";

// Input and options

export { type CheckRule, type CheckRuleId, checkRules } from "./model/check-rules.js";
export type { CheckFile, CheckInput, CheckSource, CheckText } from "./options/check-input.js";
export type { CheckOptions, RuleSeverities, SeverityOverride } from "./options/check-options.js";
export {
  type CustomLifecycle,
  type CustomLifecycles,
  parseLifecycles,
} from "./options/custom-lifecycle.js";

// Reports

export { formatReport, type ReportFormat } from "./report/create-report.js";
export type { ReportOptions } from "./report/report-format.js";
