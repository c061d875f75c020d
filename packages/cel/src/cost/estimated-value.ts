import type { EstimatedValue } from "../functions/call-estimate.js";
import { Estimate } from "../functions/estimate.js";
import type { CelType } from "../values/cel-type.js";

/**
 * Returns the size that a schema allows for a value, `undefined` if it tells nothing.
 *
 * @param path - A variable and the way from it: names of fields, "@items", "@keys" or "@values".
 */
export type SizeOf = (path: readonly string[], type: CelType) => Estimate | undefined;

/** Facts about a value before the evaluation. */
export interface ValueFacts {
  readonly path: readonly string[];
  readonly type: CelType;
  readonly computedSize: Estimate | undefined;
  readonly literal: EstimatedValue["literal"];
  readonly sizeOf: SizeOf;
}

/** Returns a value as estimates of calls see it. */
export function estimatedValue({
  path,
  type,
  computedSize,
  literal,
  sizeOf,
}: ValueFacts): EstimatedValue {
  return {
    type,
    computedSize,
    literal,
    size: computedSize ?? sizeOf(path, type) ?? Estimate.unknown,
    get elements() {
      const [element] = type.parameters;
      return element === undefined
        ? undefined
        : estimatedValue({
            path: path.length === 0 ? [] : [...path, "@items"],
            type: element,
            computedSize: undefined,
            literal: undefined,
            sizeOf,
          });
    },
  };
}
