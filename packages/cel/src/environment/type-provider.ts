import type { CelType } from "../values/cel-type.js";
import type { CelResult, CelValue } from "../values/cel-value.js";

/** Knows the struct types of an environment and their fields. */
export interface TypeProvider {
  /** Returns a struct type by its name. */
  readonly structType: (name: string) => CelType | undefined;
  /** Returns the type of a field. */
  readonly field: (typeName: string, field: string) => CelType | undefined;
  /** Creates an object for `Type{field: value}`. */
  readonly create: (type: CelType, fields: ReadonlyMap<string, CelValue>) => CelResult;
}
