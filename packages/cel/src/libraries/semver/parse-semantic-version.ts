import { goQuote } from "../../text/go-quote.js";
import { maxUint64 } from "../../values/cel-uint.js";
import type { SemanticVersion } from "./semantic-version.js";

/** Parses a version as blang/semver's `Parse` does. Returns its message if the text is no version. */
export function parseSemanticVersion(text: string): SemanticVersion | string {
  if (text === "") {
    return "Version string empty";
  }
  const [first, second, rest] = splitVersion(text);
  if (first === undefined || second === undefined || rest === undefined) {
    return "No Major.Minor.Patch elements found";
  }
  const [beforeBuild, build] = cut(rest, "+");
  const [third, preRelease] = cut(beforeBuild, "-");
  const major = parseNumber("Major", first);
  if (typeof major === "string") {
    return major;
  }
  const minor = parseNumber("Minor", second);
  if (typeof minor === "string") {
    return minor;
  }
  const patch = parseNumber("Patch", third);
  if (typeof patch === "string") {
    return patch;
  }
  const parts = parsePreRelease(preRelease);
  if (typeof parts === "string") {
    return parts;
  }
  return buildProblem(build) ?? { numbers: [major, minor, patch], preRelease: parts };
}

/**
 * Parses a version that may begin with `v`, lack minor and patch and have leading zeros: `v1.02` is 1.2.0. A short
 * version has no pre-release and no build metadata.
 */
export function parseLooseVersion(text: string): SemanticVersion | string {
  const parts = splitVersion(text.replace(/^v/, "")).map(withoutLeadingZeros);
  if (parts.length < 3 && /[-+]/.test(parts.at(-1) ?? "")) {
    return "short version cannot contain PreRelease/Build meta data";
  }
  return parseSemanticVersion([...parts, "0", "0"].slice(0, 3).join("."));
}

function withoutLeadingZeros(part: string): string {
  // Go counts bytes: a part of one character above ASCII is treated, too.
  if (part.length <= 1 && part <= "\u007f") {
    return part;
  }
  const rest = part.replace(/^0+/, "");
  return /^[0-9]/.test(rest) ? rest : `0${rest}`;
}

/** Splits at the first two dots. */
function splitVersion(text: string): readonly string[] {
  const [first = "", second, ...rest] = text.split(".");
  return [
    first,
    ...(second === undefined ? [] : [second]),
    ...(rest.length === 0 ? [] : [rest.join(".")]),
  ];
}

function cut(text: string, separator: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function parseNumber(name: "Major" | "Minor" | "Patch", digits: string): bigint | string {
  if (!/^[0-9]*$/.test(digits)) {
    return `Invalid character(s) found in ${name.toLowerCase()} number ${goQuote(digits)}`;
  }
  return /^0./.test(digits)
    ? `${name} number must not contain leading zeroes ${goQuote(digits)}`
    : parseUint(digits);
}

/** Parses digits as Go's `strconv.ParseUint` does. */
function parseUint(digits: string): bigint | string {
  const problem = (message: string) => `strconv.ParseUint: parsing ${goQuote(digits)}: ${message}`;
  if (digits === "") {
    return problem("invalid syntax");
  }
  // 20 digits are enough for 64 bits.
  const value = digits.length > 20 ? maxUint64 + 1n : BigInt(digits);
  return value > maxUint64 ? problem("value out of range") : value;
}

function parsePreRelease(text: string | undefined): readonly (bigint | string)[] | string {
  const values: (bigint | string)[] = [];
  for (const part of text?.split(".") ?? []) {
    const parsed = parsePart(part);
    if (typeof parsed === "string") {
      return parsed;
    }
    values.push(parsed.value);
  }
  return values;
}

function parsePart(part: string): { readonly value: bigint | string } | string {
  if (part === "") {
    return "Prerelease is empty";
  }
  if (!/^[0-9]+$/.test(part)) {
    return /^[0-9A-Za-z-]+$/.test(part)
      ? { value: part }
      : `Invalid character(s) found in prerelease ${goQuote(part)}`;
  }
  if (/^0./.test(part)) {
    return `Numeric PreRelease version must not contain leading zeroes ${goQuote(part)}`;
  }
  const value = parseUint(part);
  return typeof value === "string" ? value : { value };
}

function buildProblem(text: string | undefined): string | undefined {
  for (const part of text?.split(".") ?? []) {
    if (part === "") {
      return "Build meta data is empty";
    }
    if (!/^[0-9A-Za-z-]+$/.test(part)) {
      return `Invalid character(s) found in build meta data ${goQuote(part)}`;
    }
  }
  return undefined;
}
