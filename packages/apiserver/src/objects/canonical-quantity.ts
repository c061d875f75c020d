import { divideUp, formatQuantity, nano, parseQuantity } from "@typekube/core/quantity";

const alreadyCanonical = /^(?:0|[1-9]\d{0,2}(?:m|k|M|G|T|Ki|Mi|Gi|Ti)?)$/;

/** Normalizes a quantity: `0.1` becomes `100m`, `1024Mi` becomes `1Gi`. Other values are returned unchanged. */
export function canonicalQuantity(value: unknown): unknown {
  if (typeof value === "string" && alreadyCanonical.test(value)) {
    return value;
  }
  const quantity = parseQuantity(value);
  return quantity === undefined ? value : formatQuantity(quantity);
}

/**
 * Normalizes a quantity of a resource list, rounding away from zero to milli units: `0.0001` becomes `1m`. (core/v1
 * `SetDefaults_ResourceList`)
 */
export function canonicalResource(value: unknown): unknown {
  if (typeof value === "string" && alreadyCanonical.test(value)) {
    return value;
  }
  const quantity = parseQuantity(value);
  if (quantity === undefined) {
    return value;
  }
  const { nanos, family } = quantity;
  const milli = nano / 1000n;
  const size = divideUp(nanos < 0n ? -nanos : nanos, milli) * milli;
  const rounded = nanos < 0n ? -size : size;
  return formatQuantity(rounded === nanos ? quantity : { nanos: rounded, family });
}
