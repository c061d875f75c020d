import { binarySuffixes, decimalSuffixes, nano, type Quantity } from "./parse-quantity.js";

/** Writes a quantity as servers do: its text where that is kept, else with the largest suffix that leaves it whole. */
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
  // Go has no suffix above E and writes none.
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
