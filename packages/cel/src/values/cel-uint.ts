import type { CelInt } from "./cel-int.js";

/** Largest uint. */
export const maxUint64 = 18_446_744_073_709_551_615n;

/** A uint (64 bits, unsigned): a number while it is a safe integer, else a bigint. */
export class CelUint {
  readonly value: CelInt;

  constructor(value: CelInt) {
    this.value = value;
  }
}
