import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { isUnset } from "../../phases/validate/checks.js";

/** A file in a volume, and the description of its source. */
interface PlacedFile {
  readonly path: string;
  readonly source: string;
}

/** Returns warnings about files of one volume with the same path, or with a path inside another file's. */
export function overlappingPathWarnings(volume: JsonObject): string[] {
  const name = `volume "${String(volume["name"] ?? "")}"`;
  const { configMap, secret, downwardAPI, projected } = volume;
  const sources = objectsOf(mapOf(projected)["sources"]);
  return [
    ...overlaps(filesOf(configMap, ""), `${name} (ConfigMap "${textOf(configMap, "name")}")`),
    ...overlaps(filesOf(secret, ""), `${name} (Secret "${textOf(secret, "secretName")}")`),
    ...overlaps(filesOf(downwardAPI, ""), `${name} (DownwardAPI)`),
    ...sources.flatMap((source) =>
      Object.values(source).some(isJsonObject)
        ? []
        : [`${name} (Projected) has no sources provided`],
    ),
    ...overlaps(sources.flatMap(projectedFiles), `${name} (Projected)`),
  ];
}

function filesOf(source: unknown, shown: string): PlacedFile[] {
  return objectsOf(mapOf(source)["items"]).map((item) => placed(item["path"], shown));
}

function projectedFiles(source: JsonObject): PlacedFile[] {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle } = source;
  const certificate = mapOf(source["podCertificate"]);
  const bundle = mapOf(clusterTrustBundle);
  return [
    ...filesOf(configMap, ` (ConfigMap "${textOf(configMap, "name")}")`),
    ...filesOf(secret, ` (Secret "${textOf(secret, "name")}")`),
    ...filesOf(downwardAPI, " (DownwardAPI)"),
    ...(isJsonObject(serviceAccountToken)
      ? [placed(serviceAccountToken["path"], " (ServiceAccountToken)")]
      : []),
    ...(isJsonObject(clusterTrustBundle)
      ? [
          placed(
            bundle["path"],
            ` (ClusterTrustBundle "${String(bundle["name"] ?? bundle["signerName"])}")`,
          ),
        ]
      : []),
    ...certificatePaths.flatMap(([key, what]) =>
      isUnset(certificate[key]) ? [] : [placed(certificate[key], ` (PodCertificate ${what})`)],
    ),
  ];
}

const certificatePaths = [
  ["certificateChainPath", "chain"],
  ["keyPath", "key"],
  ["credentialBundlePath", "credential bundle"],
] as const;

function placed(path: unknown, source: string): PlacedFile {
  return { path: String(path ?? "").replace(/\/+$/, ""), source };
}

function textOf(source: unknown, key: string): string {
  return String(mapOf(source)[key] ?? "");
}

function overlaps(files: readonly PlacedFile[], where: string): string[] {
  return files.flatMap((file, at) =>
    files
      .slice(0, at)
      .filter((other) => meet(file.path, other.path))
      .map(
        (other) =>
          `${where}: overlapping paths: "${file.path}"${file.source} with "${other.path}"${other.source}`,
      ),
  );
}

function meet(one: string, other: string): boolean {
  return (
    one !== "" &&
    other !== "" &&
    (one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`))
  );
}
