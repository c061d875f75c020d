const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const longName = `${label}(\\.${label})*`;
const identifier = "[A-Za-z_][A-Za-z0-9_]*";
const key = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const ofKeys =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

/** A problem of a text, and the value to show for it. */
export interface Fault {
  readonly why: string;
  /** Value to show. Default: the text. */
  readonly shown?: string;
  /** Set when the text exceeds this many bytes; `why` is ignored then. */
  readonly maxBytes?: number;
}

/** Checks a text against one format. */
export type Format = (text: string) => readonly Fault[];

/** Formats by name. */
export const formats: Readonly<Record<string, Format>> = {
  "k8s-short-name": (text) => faults(shortNameTexts(text)),
  "k8s-long-name": (text) => faults(longNameTexts(text)),
  "k8s-long-name-caseless": (text) => faults(caselessNameTexts(text)),
  "k8s-label-key": (text) => faults(labelKeyTexts(text)),
  "k8s-prefixed-label-key": (text) => {
    const texts = labelKeyTexts(text);
    const isBare = texts.length === 0 && !text.includes("/");
    return faults(isBare ? ["must include a prefix (e.g. 'example.com/key')"] : texts);
  },
  "k8s-path-segment-name": (text) =>
    faults(
      text === "." || text === ".."
        ? [`may not be '${text}'`]
        : ["/", "%"]
            .filter((part) => text.includes(part))
            .map((part) => `may not contain '${part}'`),
    ),
  "k8s-uuid": (text) =>
    /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
      ? []
      : [{ why: "must be a lowercase UUID in 8-4-4-4-12 format" }],
  "k8s-resource-pool-name": (text) => [
    ...longerThan(text, 253),
    ...text.split("/").flatMap((part, at) => poolPart(text, part, at)),
  ],
  "k8s-extended-resource-name": extendedNameFaults,
  "k8s-resource-fully-qualified-name": (text) => [
    ...qualifiedFaults(text.split("/")),
    ...(text.includes("/")
      ? []
      : [{ why: "a fully qualified name must be a domain and a name separated by a slash" }]),
  ],
};

function faults(texts: readonly string[]): Fault[] {
  return texts.map((why) => ({ why }));
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

function longerThan(text: string, most: number): Fault[] {
  return bytesOf(text) > most ? [{ why: "", shown: text, maxBytes: most }] : [];
}

function tooLong(text: string, most: number): string[] {
  return bytesOf(text) > most ? [`must be no more than ${most} bytes`] : [];
}

function unlike(text: string, pattern: string, why: string, flags = ""): string[] {
  return new RegExp(`^${pattern}$`, flags).test(text) ? [] : [why];
}

function shortNameTexts(text: string): string[] {
  const why = text.includes(".") && unlike(text, longName, "-").length === 0;
  return [
    ...tooLong(text, 63),
    ...unlike(
      text,
      label,
      why
        ? "must not contain dots"
        : `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${label}')`,
    ),
  ];
}

function longNameTexts(text: string): string[] {
  return [
    ...tooLong(text, 253),
    ...unlike(
      text,
      longName,
      `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${longName}')`,
    ),
  ];
}

function caselessNameTexts(text: string): string[] {
  return [
    ...tooLong(text, 253),
    ...unlike(
      text,
      longName,
      `an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'Example.com', regex used for validation is '${longName}')`,
      "i",
    ),
  ];
}

function labelKeyTexts(text: string): string[] {
  const examples = `${ofKeys} (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${key}')`;
  const parts = text.split("/");
  if (parts.length > 2) {
    return [
      `a valid label key ${examples} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const [name = "", prefix] = parts.reverse();
  const ofPrefix =
    prefix === undefined ? [] : prefix === "" ? ["must be non-empty"] : longNameTexts(prefix);
  const ofName = [
    ...(name === "" ? ["must be non-empty"] : tooLong(name, 63)),
    ...unlike(name, key, examples),
  ];
  return [
    ...ofPrefix.map((why) => `prefix part ${why}`),
    ...ofName.map((why) => `name part ${why}`),
  ];
}

function poolPart(text: string, part: string, at: number): Fault[] {
  return part === ""
    ? [{ why: `segment ${at}: must not be empty`, shown: text }]
    : longNameTexts(part).map((why) => ({ why: `segment ${at}: ${why}`, shown: part }));
}

function extendedNameFaults(text: string): Fault[] {
  const domain = !text.includes("/")
    ? ["a name must be a domain-prefixed path, such as 'example.com/my-prop'"]
    : text.includes("kubernetes.io/")
      ? ['must not have "kubernetes.io/" domain']
      : [];
  const prefix = text.startsWith("requests.") ? ['must not have "requests." prefix'] : [];
  // Quotas count the resource under this longer name, which must be a valid key too.
  return faults([...domain, ...prefix, ...labelKeyTexts(`requests.${text}`)]);
}

function qualifiedFaults(parts: readonly string[]): Fault[] {
  // Real servers check nothing when there are more slashes.
  if (parts.length > 2) {
    return [];
  }
  const [name = "", prefix] = [...parts].reverse();
  const ofPrefix =
    prefix === undefined
      ? []
      : prefix === ""
        ? [{ why: "prefix must not be empty", shown: "" }]
        : [
            ...longerThan(prefix, 63),
            ...longNameTexts(prefix).map((why) => ({ why: `prefix: ${why}`, shown: prefix })),
          ];
  const isEmpty = prefix !== undefined && name === "";
  return [
    ...ofPrefix,
    ...(isEmpty ? [{ why: "name must not be empty", shown: "" }] : identifierFaults(name)),
  ];
}

function identifierFaults(name: string): Fault[] {
  const why = `a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '${identifier}')`;
  return [
    ...longerThan(name, 32),
    ...unlike(name, identifier, why).map((text) => ({ why: text, shown: name })),
  ];
}
