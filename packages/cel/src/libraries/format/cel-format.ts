import { type CelFailure, noSuchOverload } from "../../values/cel-failure.js";
import { CelOpaque } from "../../values/cel-opaque.js";
import { type CelType, structType } from "../../values/cel-type.js";
import type { CelValue } from "../../values/cel-value.js";

/** Type of `format.uuid()`. */
export const formatType: CelType<CelFormat> = structType("kubernetes.NamedFormat");

/** A named format of texts. */
export class CelFormat extends CelOpaque {
  override readonly type: CelType<CelFormat> = formatType;
  /** The name by which formats are compared. */
  readonly name: string;
  /** Length of the regular expression that the costs assume. */
  readonly patternSize: number;
  /** Returns the problems of a text; empty for a valid one. */
  readonly validate: (text: string) => readonly string[];

  constructor(name: string, patternSize: number, validate: (text: string) => readonly string[]) {
    super();
    this.name = name;
    this.patternSize = patternSize;
    this.validate = validate;
  }

  override equals(other: CelValue): boolean | CelFailure {
    return other instanceof CelFormat ? this.name === other.name : noSuchOverload();
  }
}
