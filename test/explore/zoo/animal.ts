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
  /** What goes wrong. */
  readonly bug: string;
  /** Where such a bug was reported: a public issue, or a table of a paper. */
  readonly source: string;
  /** Kinds of findings, one of which must be found. */
  readonly kinds: readonly FindingKind[];
  readonly buggy: Scenario<X>;
  readonly fixed: Scenario<X>;
}

/** An animal whose external systems nobody outside needs to know. */
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
