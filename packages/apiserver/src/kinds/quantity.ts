const decimalSuffixes = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const binarySuffixes = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const pattern = /^([+-]?)(\d*)(?:\.(\d*))?(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|[eE][+-]?\d+)?$/;
const alreadyCanonical = /^(?:0|[1-9]\d{0,2}(?:m|k|M|G|T|Ki|Mi|Gi|Ti)?)$/;
const nano = 1_000_000_000n;
/** Longer texts are not read. Amounts of the API have some 20 digits. */
const maxLength = 1000;
/** Larger exponents, up or down, are not read: a power of ten takes time and memory that grow with its exponent. */
const maxExponent = 1000;

/** A quantity of the API, exact to the nano unit, and the family of suffixes that it was written with. */
export interface Quantity {
  readonly nanos: bigint;
  readonly family: "binary" | "decimal" | "exponent";
}

/**
 * Reads a quantity: `500m`, `1Gi`, `1e3`, 2. `undefined` for anything else, and for more than 1000 characters or an exponent
 * beyond 1000. What is below a nano unit is rounded up.
 */
export function parseQuantity(value: unknown): Quantity | undefined {
  const text = `${value ?? ""}`;
  const match = text.length > maxLength ? null : pattern.exec(text);
  const [, sign = "", whole = "", fraction = "", suffix = ""] = match ?? [];
  if (match === null || whole + fraction === "") {
    return undefined;
  }
  const unit = unitOf(suffix);
  if (unit === undefined) {
    return undefined;
  }
  const { factor, divisor, family } = unit;
  const scale = divisor * 10n ** BigInt(fraction.length);
  const scaled = BigInt(whole + fraction) * factor;
  const nanos = (scaled + scale - 1n) / scale;
  return { nanos: sign === "-" ? -nanos : nanos, family };
}

/** How many nano units a suffix stands for: a factor, over a divisor for what is below one. */
interface Unit {
  readonly factor: bigint;
  readonly divisor: bigint;
  readonly family: Quantity["family"];
}

function unitOf(suffix: string): Unit | undefined {
  const binary = suffix === "" ? -1 : binarySuffixes.indexOf(suffix);
  if (binary > 0) {
    return { factor: nano << BigInt(10 * binary), divisor: 1n, family: "binary" };
  }
  const decimal = decimalSuffixes.indexOf(suffix);
  if (decimal >= 0) {
    return { factor: 1000n ** BigInt(decimal), divisor: 1n, family: "decimal" };
  }
  const exponent = Number(suffix.slice(1));
  return Math.abs(exponent) > maxExponent
    ? undefined
    : {
        factor: nano * 10n ** BigInt(Math.max(exponent, 0)),
        divisor: 10n ** BigInt(Math.max(-exponent, 0)),
        family: "exponent",
      };
}

/** A quantity in the one form in which servers write it: `0.1` is `100m`, `1024Mi` is `1Gi`. Others stay as they are. */
export function canonicalQuantity(value: unknown): unknown {
  if (typeof value === "string" && alreadyCanonical.test(value)) {
    return value;
  }
  const quantity = parseQuantity(value);
  return quantity === undefined ? value : formatQuantity(quantity);
}

/** Writes a quantity with the largest suffix that leaves it whole. */
export function formatQuantity({ nanos, family }: Quantity): string {
  const size = nanos < 0n ? -nanos : nanos;
  if (size === 0n) {
    return "0";
  }
  const sign = nanos < 0n ? "-" : "";
  if (family === "binary" && size >= 1024n * nano) {
    // Bytes come whole.
    const [rest, steps] = divide((size + nano - 1n) / nano, 1024n, binarySuffixes.length - 1);
    return `${sign}${rest}${binarySuffixes[steps]}`;
  }
  const isExponent = family === "exponent";
  const most = isExponent ? Number.POSITIVE_INFINITY : decimalSuffixes.length - 1;
  const [rest, steps] = divide(size, 1000n, most);
  const exponent = (steps - 3) * 3;
  const exponentSuffix = exponent === 0 ? "" : `e${exponent}`;
  return `${sign}${rest}${isExponent ? exponentSuffix : decimalSuffixes[steps]}`;
}

function divide(value: bigint, by: bigint, most: number): [rest: bigint, steps: number] {
  let rest = value;
  let steps = 0;
  while (steps < most && rest % by === 0n) {
    rest /= by;
    steps += 1;
  }
  return [rest, steps];
}
