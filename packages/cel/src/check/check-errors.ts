import type { CelType } from "../values/cel-type.js";

/** Messages of the type checker, in cel-go's words: users search for them. */
export const checkErrors = {
  undeclared: (name: string, container: string): string =>
    `undeclared reference to '${name}' (in container '${container}')`,
  undefinedField: (field: string): string => `undefined field '${field}'`,
  noFieldSelection: (type: CelType): string => `type '${type}' does not support field selection`,
  notARange: (type: CelType): string =>
    `expression of type '${type}' cannot be range of a comprehension (must be list, map, or dynamic)`,
  mismatch: (expected: CelType, found: CelType): string =>
    `expected type '${expected}' but found '${found}'`,
  fieldMismatch: (field: string, expected: CelType, found: CelType): string =>
    `expected type of field '${field}' is '${expected}' but provided type is '${found}'`,
  notAType: (name: string): string => `'${name}' is not a type`,
  notAMessageType: (name: string): string => `'${name}' is not a message type`,
  noOverload: (name: string, args: readonly CelType[], member: boolean): string => {
    const [target, ...rest] = args;
    const signature = member ? `${target}.(${rest.join(", ")})` : `(${args.join(", ")})`;
    return `found no matching overload for '${name}' applied to '${signature}'`;
  },
} as const;
