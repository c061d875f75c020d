import type { FindingKind, Scenario } from "@typekube/apiserver/testing";

/** A small operator with one bug, and the same operator without it. */
export interface Animal {
  /** What goes wrong. */
  readonly bug: string;
  /** Where such a bug was reported: a public issue, or a table of a paper. */
  readonly source: string;
  /** Kinds of findings, one of which must be found. */
  readonly kinds: readonly FindingKind[];
  readonly buggy: Scenario;
  readonly fixed: Scenario;
}
