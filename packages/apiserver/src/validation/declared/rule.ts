import type { FieldSchema } from "@typekube/api/schema";
import type { FeatureGates } from "../../resources/feature-gates.js";
import type { FieldErrors } from "../checks.js";

/** What a rule looks at: one value in an object. */
export interface Place {
  /** As refusals call it. */
  readonly path: string;
  readonly value: unknown;
  /** What stood there before the update. */
  readonly before: unknown;
  /** Whether something could stand there before: not on create, nor in items that are new. */
  readonly isKept: boolean;
  readonly gates: FeatureGates;
}

/** What is wrong by one rule. */
export type Check = (place: Place) => FieldErrors;

/** A rule that a type declares for a field. */
export interface Rule {
  readonly check: Check;
  /** Whoever breaks it is told no more of that field. Such rules also look at values that are not there. */
  readonly isFirst: boolean;
}

/** Makes the rule of one name. `undefined` for one that has nothing to say of the field. */
export type RuleMaker = (argument: string, field: FieldSchema) => Rule | undefined;

/** A rule that is asked first. */
export function first(check: Check): Rule {
  return { check, isFirst: true };
}

/** A rule of what is there. */
export function whenSet(check: Check): Rule {
  return { check, isFirst: false };
}

/** Whether Go would find nothing in the field: a zero counts where no pointer tells it from nothing. */
export function isUnsetIn({ pointer }: FieldSchema, value: unknown): boolean {
  switch (typeof value) {
    case "undefined":
      return true;
    case "object":
      return value === null || (Array.isArray(value) && value.length === 0);
    default:
      return pointer !== true && (value === "" || value === false || value === 0 || value === 0n);
  }
}
