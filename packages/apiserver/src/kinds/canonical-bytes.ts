/**
 * Base64 as servers write it: without line breaks, and with zeros in the bits that stand for nothing. Other values stay
 * as they are.
 */
export function canonicalBytes(value: unknown): unknown {
  if (typeof value !== "string") {
    return value;
  }
  // The bits that stand for nothing are in the last digit before the padding.
  if (!value.endsWith("=") && !value.includes("\n") && !value.includes("\r")) {
    return value;
  }
  const written = Buffer.from(value, "base64").toString("base64");
  return written === value ? value : written;
}
