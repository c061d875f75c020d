import {
  label1035Texts,
  labelTexts,
  labelValueTexts,
  qualifiedNameTexts,
  subdomainTexts,
} from "@typekube/core/internal/texts";
import { parseRequestUri } from "../../urls/parse-url.js";
import { CelFailure } from "../../values/cel-failure.js";
import { CelFormat } from "./cel-format.js";
import { isBase64, isDate, isDateTime, isUuid } from "./text-checks.js";

type Validate = (text: string) => readonly string[];

/** Accepts a dash at the end of a text to which a suffix will be added. */
function asPrefix(validate: Validate): Validate {
  return (text) => validate(withoutTrailingDash(text));
}

/** Kubernetes replaces the last two characters of a text with a dash at its end. */
function withoutTrailingDash(text: string): string {
  const isReplaced =
    text.endsWith("-") && text.length > 1 && text.charAt(text.length - 2) < "\u0080";
  return isReplaced ? `${text.slice(0, -2)}a` : text;
}

function matching(test: (text: string) => boolean, problem: string): Validate {
  return (text) => (test(text) ? [] : [problem]);
}

function uriTexts(text: string): readonly string[] {
  const url = parseRequestUri(text);
  return url instanceof CelFailure ? [url.message] : [];
}

// Lengths of the patterns of kube-openapi and govalidator.
const urlPatternSize = 1_103;
const uuidPatternSize = 70;
const base64PatternSize = 84;
const dateTimePatternSize = 71;

/** The formats by the names that expressions use. */
export const namedFormats: ReadonlyMap<string, CelFormat> = new Map([
  ["dns1123Label", new CelFormat("DNS1123Label", 30, labelTexts)],
  ["dns1123Subdomain", new CelFormat("DNS1123Subdomain", 60, subdomainTexts)],
  ["dns1035Label", new CelFormat("DNS1035Label", 30, label1035Texts)],
  ["qualifiedName", new CelFormat("QualifiedName", 60, qualifiedNameTexts)],
  ["dns1123LabelPrefix", new CelFormat("DNS1123LabelPrefix", 30, asPrefix(labelTexts))],
  ["dns1123SubdomainPrefix", new CelFormat("DNS1123SubdomainPrefix", 60, asPrefix(subdomainTexts))],
  ["dns1035LabelPrefix", new CelFormat("DNS1035LabelPrefix", 30, asPrefix(label1035Texts))],
  ["labelValue", new CelFormat("LabelValue", 40, labelValueTexts)],
  ["uri", new CelFormat("URI", urlPatternSize, uriTexts)],
  [
    "uuid",
    new CelFormat("uuid", uuidPatternSize, matching(isUuid, "does not match the UUID format")),
  ],
  ["byte", new CelFormat("byte", base64PatternSize, matching(isBase64, "invalid base64"))],
  ["date", new CelFormat("date", dateTimePatternSize, matching(isDate, "invalid date"))],
  [
    "datetime",
    new CelFormat("datetime", dateTimePatternSize, matching(isDateTime, "invalid datetime")),
  ],
]);
