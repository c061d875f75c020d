import {
  type Exploration,
  type ExploreOptions,
  type Externals,
  explore,
  type FindingKind,
  type Scenario,
} from "@typekube/apiserver/testing";

/** A small operator with one bug, and the same operator without it. */
export interface AnimalParts<X extends Externals = Externals> {
  /** The mistake, in a sentence. */
  readonly bug: string;
  /** A public report of such a bug. */
  readonly source: string;
  /** Kinds of findings, one of which must be found. */
  readonly kinds: readonly FindingKind[];
  readonly buggy: Scenario<X>;
  readonly fixed: Scenario<X>;
}

/** An animal, whatever external systems its scenarios have. */
export interface Animal extends Pick<AnimalParts, "bug" | "kinds" | "source"> {
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
