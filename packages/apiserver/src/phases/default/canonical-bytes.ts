/** Normalizes Base64 like servers: no line breaks, unused bits zero. Other values are returned unchanged. */
export function canonicalBytes(value: unknown): unknown {
  if (typeof value !== "string") {
    return value;
  }
  // The unused bits are in the last digit before the padding.
  if (!value.endsWith("=") && !value.includes("\n") && !value.includes("\r")) {
    return value;
  }
  const written = Buffer.from(value, "base64").toString("base64");
  return written === value ? value : written;
}
