import { projectionOf } from "@typekube/core/internal";
import type { DescribedCondition, ObjectCondition } from "../conditions/object-condition.js";

/**
 * Returns the fields that a wait reads: those that its caller keeps, and those that the condition declares, without which it
 * would never be met. `undefined` for whole objects.
 *
 * @throws {KubeError} `InvalidArgument` for a text that is not a path.
 */
export function waitFields(
  condition: ObjectCondition<never>,
  fields: readonly string[] | undefined,
): readonly string[] | undefined {
  if (fields === undefined) {
    return undefined;
  }
  const { fields: needed = [] } = (condition ?? {}) as Partial<DescribedCondition>;
  const all = [...fields, ...needed];
  projectionOf(all);
  return all;
}
