/** The media types of the Kubernetes API. */
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

/** A media type taken apart; names are in lower case. */
export interface MediaType {
  /** `type/subtype`. */
  readonly essence: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Takes a Content-Type or one member of an Accept list apart. */
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

/** One member of an Accept header with its weight. */
export interface AcceptedMediaType extends MediaType {
  /** 0 to 1; 1 where the header says none. */
  readonly quality: number;
}

/** Takes an Accept header apart, best first; members of equal weight keep their order. */
export function parseAccept(header: string): AcceptedMediaType[] {
  return header
    .split(",")
    .filter((member) => member.trim() !== "")
    .map((member) => {
      const { essence, parameters } = parseMediaType(member);
      const quality = Number(parameters["q"] ?? "1");
      return { essence, parameters, quality: Number.isFinite(quality) ? quality : 0 };
    })
    .filter((member) => member.quality > 0)
    .sort((a, b) => b.quality - a.quality);
}
