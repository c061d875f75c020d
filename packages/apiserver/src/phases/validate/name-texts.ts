const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const labelPattern = new RegExp(`^${label}$`);
const subdomainPattern = new RegExp(`^${label}(\\.${label})*$`);
const namePartPattern = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const valuePattern = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;

const texts = {
  subdomain: `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${label}(\\.${label})*')`,
  label: `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${label}')`,
  namePart:
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
  labelKey:
    "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
  value:
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
  dataKey:
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
} as const;

/** Returns the problems of a port name. */
export function portNameTexts(name: string): string[] {
  return [
    ...(name.length > 15 ? ["must be no more than 15 characters"] : []),
    ...(/^[-a-z0-9]+$/.test(name)
      ? []
      : ["must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)"]),
    ...(/[a-z]/.test(name) ? [] : ["must contain at least one letter (a-z)"]),
    ...(name.includes("--") ? ["must not contain consecutive hyphens"] : []),
    ...(/^-|-$/.test(name) ? ["must not begin or end with a hyphen"] : []),
  ];
}

/** Returns the problems of a DNS label. */
export function labelTexts(name: string): string[] {
  return [
    ...(name.length > 63 ? ["must be no more than 63 characters"] : []),
    ...(labelPattern.test(name)
      ? []
      : [subdomainPattern.test(name) ? "must not contain dots" : texts.label]),
  ];
}

const maxDataKeyBytes = 253;

/** Returns the problems of a data key in a ConfigMap or Secret, which becomes a file name. */
export function dataKeyTexts(key: string): string[] {
  return [
    ...(Buffer.byteLength(key) > maxDataKeyBytes
      ? [`must be no more than ${maxDataKeyBytes} characters`]
      : []),
    ...(/^[-._a-zA-Z0-9]+$/.test(key) ? [] : [texts.dataKey]),
    ...(key === "." || key === ".."
      ? [`must not be '${key}'`]
      : key.startsWith("..")
        ? ["must not start with '..'"]
        : []),
  ];
}

/** Returns the problems of a DNS subdomain. */
export function subdomainTexts(name: string): string[] {
  return name.length > 253
    ? ["must be no more than 253 characters"]
    : subdomainPattern.test(name)
      ? []
      : [texts.subdomain];
}

/** Returns the problems of a name with an optional prefix, such as a label key. */
export function qualifiedNameTexts(name: string): string[] {
  const [part = "", prefix, ...more] = name.split("/").reverse();
  if (more.length > 0) {
    return [texts.labelKey];
  }
  return [...(prefix === undefined ? [] : prefixTexts(prefix)), ...namePartTexts(part)];
}

function prefixTexts(prefix: string): string[] {
  if (prefix === "") {
    return ["prefix part must be non-empty"];
  }
  return prefix.length > 253
    ? ["prefix part must be no more than 253 bytes"]
    : subdomainPattern.test(prefix)
      ? []
      : [`prefix part ${texts.subdomain}`];
}

function namePartTexts(part: string): string[] {
  if (part === "") {
    return ["name part must be non-empty", texts.namePart];
  }
  return part.length > 63
    ? ["name part must be no more than 63 bytes"]
    : namePartPattern.test(part)
      ? []
      : [texts.namePart];
}

/** Returns the problems of a label value. */
export function labelValueTexts(value: string): string[] {
  return value.length > 63
    ? ["must be no more than 63 bytes"]
    : valuePattern.test(value)
      ? []
      : [texts.value];
}

/** Returns the problems of a name as a path segment. */
export function pathSegmentTexts(name: string): string[] {
  return name === "." || name === ".."
    ? [`may not be '${name}'`]
    : ["/", "%"].flatMap((sign) => (name.includes(sign) ? [`may not contain '${sign}'`] : []));
}
