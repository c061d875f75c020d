export {
  labelTexts,
  labelValueTexts,
  qualifiedNameTexts,
  subdomainTexts,
} from "@typekube/core/internal/texts";

const dataKeyText =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

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

const maxDataKeyBytes = 253;

/** Returns the problems of a data key in a ConfigMap or Secret, which becomes a file name. */
export function dataKeyTexts(key: string): string[] {
  return [
    ...(Buffer.byteLength(key) > maxDataKeyBytes
      ? [`must be no more than ${maxDataKeyBytes} characters`]
      : []),
    ...(/^[-._a-zA-Z0-9]+$/.test(key) ? [] : [dataKeyText]),
    ...(key === "." || key === ".."
      ? [`must not be '${key}'`]
      : key.startsWith("..")
        ? ["must not start with '..'"]
        : []),
  ];
}

/** Returns the problems of a name as a path segment. */
export function pathSegmentTexts(name: string): string[] {
  return name === "." || name === ".."
    ? [`may not be '${name}'`]
    : ["/", "%"].flatMap((sign) => (name.includes(sign) ? [`may not contain '${sign}'`] : []));
}
