/** Media types of the Kubernetes API. */
export const mediaTypes = {
  json: "application/json",
  yaml: "application/yaml",
  protobuf: "application/vnd.kubernetes.protobuf",
  protobufWatch: "application/vnd.kubernetes.protobuf;stream=watch",
  cbor: "application/cbor",
  cborSequence: "application/cbor-seq",
  jsonPatch: "application/json-patch+json",
  mergePatch: "application/merge-patch+json",
  strategicMergePatch: "application/strategic-merge-patch+json",
  applyYaml: "application/apply-patch+yaml",
  applyCbor: "application/apply-patch+cbor",
} as const;

/** A parsed media type. Names are in lower case. */
export interface MediaType {
  /** `type/subtype`. */
  readonly essence: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Parses a Content-Type or one member of an Accept list. */
export function parseMediaType(text: string): MediaType {
  const [essence = "", ...rest] = text.split(";");
  const parameters: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const parameter of rest) {
    const [name = "", ...value] = parameter.split("=");
    if (name.trim() !== "") {
      parameters[name.trim().toLowerCase()] = value
        .join("=")
        .trim()
        .replace(/^"(.*)"$/, "$1");
    }
  }
  return { essence: essence.trim().toLowerCase(), parameters };
}
