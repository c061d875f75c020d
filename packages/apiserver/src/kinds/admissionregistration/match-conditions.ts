import type { MatchCondition } from "@typekube/policy";
import { objectsOf } from "../../objects/parts.js";

/** Returns the match conditions of a webhook. */
export function conditionsOf(given: unknown): readonly MatchCondition[] {
  return objectsOf(given).map(({ name, expression }) => ({
    name: String(name ?? ""),
    expression: String(expression ?? ""),
  }));
}
