import { CelDouble } from "./cel-double.js";

/** Reads decimal digits as Go's ParseInt does (ParseUint without a sign); `undefined` for any other text. */
export function readInteger(text: string, signed: boolean): bigint | undefined {
  return (signed ? /^[+-]?\d+$/ : /^\d+$/).test(text) ? BigInt(text.replace("+", "")) : undefined;
}

const special: ReadonlyMap<string, number> = new Map([
  ["nan", Number.NaN],
  ["inf", Number.POSITIVE_INFINITY],
  ["+inf", Number.POSITIVE_INFINITY],
  ["-inf", Number.NEGATIVE_INFINITY],
  ["infinity", Number.POSITIVE_INFINITY],
  ["+infinity", Number.POSITIVE_INFINITY],
  ["-infinity", Number.NEGATIVE_INFINITY],
]);

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const hexadecimal = /^([+-]?)0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?\d+)$/;

/** Reads a double as Go's ParseFloat does; `undefined` for any other text and for one that is too large. */
export function readDouble(text: string): CelDouble | undefined {
  const known = special.get(text.toLowerCase());
  if (known !== undefined) {
    return new CelDouble(known);
  }
  const value = decimal.test(text) ? Number(text) : readHexadecimal(text);
  return value !== undefined && Number.isFinite(value) ? new CelDouble(value) : undefined;
}

function readHexadecimal(text: string): number | undefined {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = hexadecimal.exec(text) ?? [];
  if (whole === "" && fraction === "") {
    return undefined;
  }
  const digits = Number(BigInt(`0x${whole}${fraction}`));
  const value = digits * 2 ** (Number(exponent) - 4 * fraction.length);
  return sign === "-" ? -value : value;
}

/** Reads a bool as Go's ParseBool does; `undefined` for any other text. */
export function readBool(text: string): boolean | undefined {
  if (["1", "t", "T", "TRUE", "true", "True"].includes(text)) {
    return true;
  }
  return ["0", "f", "F", "FALSE", "false", "False"].includes(text) ? false : undefined;
}
