import type { CompleteOptions } from "../options/check-options.js";
import type { DuplicateObjects } from "../rules/duplicate-objects.js";
import type { ReferenceIndex } from "../rules/references.js";
import type { CheckServer } from "./check-server.js";
import type { Installation } from "./install.js";
import type { OldObjects } from "./old-objects.js";
import type { OriginPlaces } from "./origin-places.js";

/** Facts about the input as a whole. */
export interface RunFacts {
  /** Number of objects that name no namespace. */
  withoutNamespace: number;
  /** Statements about what is not evaluated. */
  notes: readonly string[];
}

/** State of one run. */
export interface Run {
  readonly options: CompleteOptions;
  readonly servers: readonly CheckServer[];
  readonly installation: Installation;
  readonly origins: OriginPlaces;
  readonly old: OldObjects;
  readonly duplicates: DuplicateObjects;
  readonly references: ReferenceIndex | undefined;
  readonly facts: RunFacts;
}
