import { binarySuffixes, decimalSuffixes, nano, type Quantity } from "./parse-quantity.js";

/**
 * Formats a quantity as servers do: its original text where servers keep it, otherwise with the largest suffix that
 * gives a whole number.
 */
export function formatQuantity({ nanos, family, text }: Quantity): string {
  const size = nanos < 0n ? -nanos : nanos;
  if (size === 0n) {
    return "0";
  }
  if (text !== undefined) {
    return text;
  }
  const sign = nanos < 0n ? "-" : "";
  if (family === "binary" && size >= 1024n * nano && size % nano === 0n) {
    const [rest, steps] = divide(size / nano, 1024n);
    return `${sign}${rest}${binarySuffixes[steps]}`;
  }
  const [rest, steps] = divide(size, 1000n);
  const exponent = (steps - 3) * 3;
  const exponentSuffix = exponent === 0 ? "" : `e${exponent}`;
  // Go has no suffix above E and writes nothing there.
  const suffix = family === "exponent" ? exponentSuffix : (decimalSuffixes[steps] ?? "");
  return `${sign}${rest}${suffix}`;
}

function divide(value: bigint, by: bigint): [rest: bigint, steps: number] {
  let rest = value;
  let steps = 0;
  while (rest % by === 0n) {
    rest /= by;
    steps += 1;
  }
  return [rest, steps];
}
