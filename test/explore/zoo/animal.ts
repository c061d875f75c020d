import {
  type Exploration,
  type ExploreOptions,
  type Externals,
  explore,
  type FaultType,
  type FindingKind,
  type Scenario,
} from "@typekube/apiserver/testing";

/** A small operator with one bug, and the same operator without it. */
export interface AnimalParts<X extends Externals = Externals> {
  /** The bug, in words. */
  readonly bug: string;
  /** Address of a public report of such a bug. */
  readonly source: string;
  /** Kinds of findings, one of which must be found. */
  readonly kinds: readonly FindingKind[];
  /** Types of faults, each of which is enough to find it. */
  readonly by: readonly FaultType[];
  readonly buggy: Scenario<X>;
  readonly fixed: Scenario<X>;
}

/** An animal without the types of its external systems. */
export interface Animal extends Pick<AnimalParts, "bug" | "by" | "kinds" | "source"> {
  exploreBuggy(options?: ExploreOptions): Promise<Exploration>;
  exploreFixed(options?: ExploreOptions): Promise<Exploration>;
}

/** Returns an animal from its parts. */
export function animal<X extends Externals = Externals>(
  parts: AnimalParts<X>,
): Animal & AnimalParts<X> {
  return {
    ...parts,
    exploreBuggy: (options) => explore(parts.buggy, options),
    exploreFixed: (options) => explore(parts.fixed, options),
  };
}
