import type { FindingKind, Scenario } from "@typekube/apiserver/testing";

/** A small operator with one bug, and the same operator without it. */
export interface Animal {
  /** The mistake, in a sentence. */
  readonly bug: string;
  /** A public report of such a bug: an issue, or a table of a paper. */
  readonly source: string;
  /** Kinds of findings, one of which must be found. */
  readonly kinds: readonly FindingKind[];
  readonly buggy: Scenario;
  readonly fixed: Scenario;
}
