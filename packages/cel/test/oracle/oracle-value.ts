import { ipAddressText } from "../../src/addresses/ip-address.js";
import { ipPrefixText } from "../../src/addresses/ip-prefix.js";
import { CelCidr } from "../../src/libraries/cidr/cel-cidr.js";
import { CelFormat } from "../../src/libraries/format/cel-format.js";
import { CelIp } from "../../src/libraries/ip/cel-ip.js";
import { CelQuantity } from "../../src/libraries/quantity/cel-quantity.js";
import { CelSemver } from "../../src/libraries/semver/cel-semver.js";
import { CelUrl } from "../../src/libraries/urls/cel-url.js";
import { textOfUtf8 } from "../../src/text/utf8-text.js";
import { urlText } from "../../src/urls/go-url.js";
import { CelDouble } from "../../src/values/cel-double.js";
import { CelDuration } from "../../src/values/cel-duration.js";
import { CelFailure } from "../../src/values/cel-failure.js";
import { CelList } from "../../src/values/cel-list.js";
import { CelMap } from "../../src/values/cel-map.js";
import { CelOpaque } from "../../src/values/cel-opaque.js";
import { CelOptional } from "../../src/values/cel-optional.js";
import { CelTimestamp } from "../../src/values/cel-timestamp.js";
import { CelType } from "../../src/values/cel-type.js";
import { CelUint } from "../../src/values/cel-uint.js";
import type { CelValue } from "../../src/values/cel-value.js";
import { formatTimestamp } from "../../src/values/format-time.js";

/** Returns a value as the oracle writes it. */
export function oracleValue(value: CelValue): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
    case "bigint":
      return { int: String(value) };
    default:
      return value === null ? { null: true } : fromInstance(value);
  }
}

function fromInstance(value: CelValue): unknown {
  if (value instanceof CelUint) {
    return { uint: String(value.value) };
  }
  if (value instanceof CelDouble) {
    return { double: doubleText(value.value) };
  }
  if (value instanceof Uint8Array) {
    return { bytes: Buffer.from(value).toString("base64") };
  }
  if (value instanceof CelDuration) {
    return { duration: String(value.nanoseconds) };
  }
  if (value instanceof CelTimestamp) {
    return { timestamp: formatTimestamp(value) };
  }
  if (value instanceof CelType) {
    return { type: value.name };
  }
  if (value instanceof CelOptional) {
    return value.value === undefined ? { none: true } : { optional: oracleValue(value.value) };
  }
  if (value instanceof CelList) {
    return Array.from(value, oracleValue);
  }
  if (value instanceof CelMap) {
    return { map: entriesOf(value) };
  }
  return value instanceof CelOpaque ? fromOpaque(value) : { object: "unknown" };
}

function entriesOf(map: CelMap): unknown {
  const entries = Array.from(map.keys(), (key) => {
    const value = map.find(key);
    return [
      oracleValue(key),
      value === undefined || value instanceof CelFailure ? null : oracleValue(value),
    ] as const;
  });
  const text = (key: unknown) => (typeof key === "string" ? key : JSON.stringify(key));
  return entries.sort(([a], [b]) => Buffer.compare(Buffer.from(text(a)), Buffer.from(text(b))));
}

function fromOpaque(value: CelOpaque): unknown {
  if (value instanceof CelIp) {
    return { ip: ipAddressText(value.address) };
  }
  if (value instanceof CelCidr) {
    return { cidr: ipPrefixText(value.prefix) };
  }
  if (value instanceof CelUrl) {
    return { url: textOfUtf8(urlText(value.url)) };
  }
  if (value instanceof CelQuantity) {
    return { quantity: value.toString() };
  }
  if (value instanceof CelSemver) {
    const { numbers, preRelease } = value.version;
    return {
      semver: [numbers.join("."), ...(preRelease.length > 0 ? [preRelease.join(".")] : [])].join(
        "-",
      ),
    };
  }
  return value instanceof CelFormat ? { format: value.name } : { object: value.type.name };
}

/** Returns a double as Go's `strconv.FormatFloat(x, 'e', -1, 64)` writes it. */
function doubleText(value: number): string {
  if (!Number.isFinite(value)) {
    return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
  }
  const text = value.toExponential().replace(/(?<=e[-+])(?=\d$)/, "0");
  return Object.is(value, -0) ? `-${text}` : text;
}
