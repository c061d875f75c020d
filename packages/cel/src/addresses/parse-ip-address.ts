import { goQuote } from "../text/go-quote.js";
import type { IpAddress } from "./ip-address.js";

/** Parses an address as Go's `netip.ParseAddr` does. Returns Go's message if the text is not an address. */
export function parseIpAddress(text: string): IpAddress | string {
  switch (/[.:%]/.exec(text)?.[0]) {
    case ".": {
      const bytes = parseDotted(text, text);
      return typeof bytes === "string" ? bytes : { bytes, zone: "" };
    }
    case ":":
      return parseIpv6(text);
    case "%":
      return problem(text, "missing IPv6 address");
    default:
      return problem(text, "unable to parse IP");
  }
}

/** Returns the message that `input` is no address; `rest` is the part that could not be read. */
function problem(input: string, message: string, rest = ""): string {
  const place = rest === "" ? "" : ` (at ${goQuote(rest)})`;
  return `ParseAddr(${goQuote(input)}): ${message}${place}`;
}

/** Parses four decimal fields, which may be the end of an IPv6 address. */
function parseDotted(text: string, input: string): readonly number[] | string {
  const fields: number[] = [];
  let field = "";
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character >= "0" && character <= "9") {
      if (field === "0") {
        return problem(input, "IPv4 field has octet with leading zero");
      }
      field += character;
      if (Number(field) > 255) {
        return problem(input, "IPv4 field has value >255");
      }
    } else if (character === ".") {
      if (field === "" || index === text.length - 1) {
        return problem(input, "IPv4 field must have at least one digit", text.slice(index));
      }
      if (fields.length === 3) {
        return problem(input, "IPv4 address too long");
      }
      fields.push(Number(field));
      field = "";
    } else {
      return problem(input, "unexpected character", text.slice(index));
    }
  }
  return fields.length < 3 ? problem(input, "IPv4 address too short") : [...fields, Number(field)];
}

function parseIpv6(input: string): IpAddress | string {
  const percent = input.indexOf("%");
  if (percent === input.length - 1) {
    return problem(input, "zone must be a non-empty string");
  }
  const bytes = parseGroups(percent < 0 ? input : input.slice(0, percent), input);
  return typeof bytes === "string"
    ? bytes
    : { bytes, zone: percent < 0 ? "" : input.slice(percent + 1) };
}

/** Parses the groups of an IPv6 address without its zone. */
function parseGroups(text: string, input: string): readonly number[] | string {
  const bytes: number[] = [];
  let ellipsis = text.startsWith("::") ? 0 : -1;
  let rest = ellipsis < 0 ? text : text.slice(2);
  while (bytes.length < 16 && !(rest === "" && ellipsis === bytes.length)) {
    const digits = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? "";
    if (digits.length > 4) {
      return problem(input, "each group must have 4 or less digits", rest);
    }
    if (digits === "") {
      return problem(input, "each colon-separated field must have at least one digit", rest);
    }
    if (rest.charAt(digits.length) === ".") {
      const fields = parseEmbedded(rest, bytes.length, ellipsis >= 0, input);
      if (typeof fields === "string") {
        return fields;
      }
      bytes.push(...fields);
      rest = "";
      break;
    }
    const group = Number.parseInt(digits, 16);
    bytes.push(group >> 8, group & 0xff);
    rest = rest.slice(digits.length);
    if (rest === "") {
      break;
    }
    const wrong = separatorProblem(rest, ellipsis >= 0, input);
    if (wrong !== undefined) {
      return wrong;
    }
    if (rest.startsWith("::")) {
      ellipsis = bytes.length;
    }
    rest = rest.slice(rest.startsWith("::") ? 2 : 1);
  }
  return rest === ""
    ? expanded(bytes, ellipsis, input)
    : problem(input, "trailing garbage after address", rest);
}

/** Parses the IPv4 address at the end of an IPv6 address. */
function parseEmbedded(
  rest: string,
  length: number,
  hasEllipsis: boolean,
  input: string,
): readonly number[] | string {
  if (!hasEllipsis && length !== 12) {
    const message = "embedded IPv4 address must replace the final 2 fields of the address";
    return problem(input, message, rest);
  }
  return length + 4 > 16
    ? problem(input, "too many hex fields to fit an embedded IPv4 at the end of the address", rest)
    : parseDotted(rest, input);
}

/** Returns the problem of the text behind a group, which must begin with a colon. */
function separatorProblem(rest: string, hasEllipsis: boolean, input: string): string | undefined {
  if (!rest.startsWith(":")) {
    return problem(input, "unexpected character, want colon", rest);
  }
  if (rest === ":") {
    return problem(input, "colon must be followed by more characters", rest);
  }
  return rest.startsWith("::") && hasEllipsis
    ? problem(input, "multiple :: in address", rest.slice(1))
    : undefined;
}

/** Puts zeros in the place of `::`. */
function expanded(
  bytes: readonly number[],
  ellipsis: number,
  input: string,
): readonly number[] | string {
  const missing = 16 - bytes.length;
  if (missing === 0) {
    return ellipsis < 0
      ? bytes
      : problem(input, "the :: must expand to at least one field of zeros");
  }
  return ellipsis < 0
    ? problem(input, "address string too short")
    : [...bytes.slice(0, ellipsis), ...Array<number>(missing).fill(0), ...bytes.slice(ellipsis)];
}
