const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const name = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const labelPattern = /^(?!-)[-a-z0-9]+(?<!-)$/;
const label1035Pattern = /^(?=[a-z])[-a-z0-9]+(?<!-)$/;
const namePattern = /^(?![-_.])[-A-Za-z0-9_.]+(?<![-_.])$/;

const maxLabelBytes = 63;
const maxSubdomainBytes = 253;

const texts = {
  subdomain: `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${label}(\\.${label})*')`,
  label: `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${label}')`,
  label1035:
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
  namePart: `name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${name}')`,
  labelKey: `a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${name}') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
  value: `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(${name})?')`,
} as const;

/** Returns the problems of a DNS label (RFC 1123), with the API's own texts; empty for a valid label. */
export function labelTexts(text: string): string[] {
  return [
    ...lengthTexts(text, maxLabelBytes, "characters"),
    ...(labelPattern.test(text) ? [] : [isSubdomain(text) ? "must not contain dots" : texts.label]),
  ];
}

/** Returns the problems of a DNS label that starts with a letter (RFC 1035); empty for a valid label. */
export function label1035Texts(text: string): string[] {
  return [
    ...lengthTexts(text, maxLabelBytes, "characters"),
    ...(label1035Pattern.test(text) ? [] : [texts.label1035]),
  ];
}

/** Returns the problems of a DNS subdomain; empty for a valid one. */
export function subdomainTexts(text: string): string[] {
  return [
    ...lengthTexts(text, maxSubdomainBytes, "characters"),
    ...(isSubdomain(text) ? [] : [texts.subdomain]),
  ];
}

/** Returns the problems of a name with an optional prefix, such as a label key; empty for a valid name. */
export function qualifiedNameTexts(text: string): string[] {
  const [part = "", prefix, ...more] = text.split("/").reverse();
  if (more.length > 0) {
    return [texts.labelKey];
  }
  return [...(prefix === undefined ? [] : prefixTexts(prefix)), ...namePartTexts(part)];
}

/** Returns the problems of a label value; empty for a valid value. */
export function labelValueTexts(value: string): string[] {
  return [
    ...lengthTexts(value, maxLabelBytes, "bytes"),
    ...(value === "" || namePattern.test(value) ? [] : [texts.value]),
  ];
}

/** Tests label by label: one expression over all labels would need memory for each of them. */
function isSubdomain(text: string): boolean {
  return text.split(".").every((part) => labelPattern.test(part));
}

function lengthTexts(text: string, max: number, unit: "bytes" | "characters"): string[] {
  return Buffer.byteLength(text) > max ? [`must be no more than ${max} ${unit}`] : [];
}

function prefixTexts(prefix: string): string[] {
  return prefix === ""
    ? ["prefix part must be non-empty"]
    : [
        ...lengthTexts(prefix, maxSubdomainBytes, "bytes"),
        ...(isSubdomain(prefix) ? [] : [texts.subdomain]),
      ].map((text) => `prefix part ${text}`);
}

function namePartTexts(part: string): string[] {
  return [
    ...(part === "" ? ["name part must be non-empty"] : []),
    ...lengthTexts(part, maxLabelBytes, "bytes").map((text) => `name part ${text}`),
    ...(namePattern.test(part) ? [] : [texts.namePart]),
  ];
}
