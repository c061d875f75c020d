import { type Decimal, exactDecimal, roundedTo } from "./exact-decimal.js";

/** Digits behind the point of `%f` and `%e` when a clause gives none. */
export const defaultPrecision = 6;

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** Formats a double as `%f` does: in US English, with a comma between thousands. */
export function fixedPoint(value: number, precision: number): string {
  return (
    special(value) ??
    withSign(value, (absolute) => {
      const [whole, fraction] = plainDigits(absolute, precision);
      const point = fraction === "" ? "" : ".";
      return `${whole.replace(/\B(?=(?:\d{3})+$)/g, ",")}${point}${fraction}`;
    })
  );
}

/**
 * Formats a double as `%e` does, for example "1.052033×10⁰³". Upstream takes the precision for the least width: there are
 * always six digits behind the point.
 */
export function scientific(value: number, width: number): string {
  const text =
    special(value) ??
    withSign(value, (absolute) => {
      const { digits, scale } = roundedDigits(absolute, defaultPrecision + 1);
      const figures = digits.toString();
      const exponent = digits === 0n ? 0 : figures.length - 1 - scale;
      const fraction = padded(figures.slice(1), defaultPrecision);
      return `${figures.charAt(0)}.${fraction}×10${superscript(exponent)}`;
    });
  // Upstream keeps the width in two bytes.
  return text.padStart(width & 0xffff);
}

/** Formats a double as in a list or a map, where it is always the text of a literal. */
export function literalDouble(value: number): string {
  if (Number.isNaN(value)) {
    return "NaN";
  }
  if (!Number.isFinite(value)) {
    return value > 0 ? "+Inf" : "-Inf";
  }
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  return `${sign}${plainDigits(Math.abs(value), defaultPrecision).join(".")}`;
}

function special(value: number): string | undefined {
  if (Number.isNaN(value)) {
    return "NaN";
  }
  return Number.isFinite(value) ? undefined : value > 0 ? "∞" : "-∞";
}

/** A number that rounds to zero keeps its sign; negative zero has none. */
function withSign(value: number, format: (absolute: number) => string): string {
  return `${value < 0 ? "-" : ""}${format(Math.abs(value))}`;
}

/** Returns the digits before and behind the point. */
function plainDigits(value: number, precision: number): readonly [string, string] {
  const { digits, scale } = roundedTo(exactDecimal(value), precision);
  const text = digits.toString().padStart(scale + 1, "0");
  const point = text.length - scale;
  return [text.slice(0, point), padded(text.slice(point), precision)];
}

/** Rounds to a number of significant digits. */
function roundedDigits(value: number, count: number): Decimal {
  const exact = exactDecimal(value);
  const excess = exact.digits.toString().length - count;
  return excess > 0 ? roundedTo(exact, exact.scale - excess) : exact;
}

/** Removes zeros at the end, then adds them up to the precision modulo 256, which upstream keeps in one byte. */
function padded(fraction: string, precision: number): string {
  let end = fraction.length;
  while (fraction[end - 1] === "0") {
    end -= 1;
  }
  return fraction.slice(0, end).padEnd(precision & 0xff, "0");
}

/** Returns an exponent of at least two digits. */
function superscript(exponent: number): string {
  const digits = Math.abs(exponent).toString().padStart(2, "0");
  const raised = digits.replace(/\d/g, (digit) => superscripts.charAt(Number(digit)));
  return `${exponent < 0 ? "⁻" : ""}${raised}`;
}
