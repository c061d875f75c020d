/** Returns a double as Go's `%g` prints it: an exponent below 1e-4 and from 1e6 on, "+Inf", "-Inf", "NaN". */
export function formatDouble(value: number): string {
  if (!Number.isFinite(value)) {
    return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
  }
  if (value === 0) {
    return Object.is(value, -0) ? "-0" : "0";
  }
  const [mantissa = "", exponent = "0"] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power >= -4 && power < 6) {
    return power < 0
      ? value.toFixed(mantissa.replace(/[-.]/g, "").length - 1 - power)
      : String(value);
  }
  const digits = String(Math.abs(power)).padStart(2, "0");
  return `${mantissa}e${power < 0 ? "-" : "+"}${digits}`;
}
