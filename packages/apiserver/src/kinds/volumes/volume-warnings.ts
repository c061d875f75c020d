import { parseQuantity } from "@typekube/core/quantity";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf } from "../../objects/parts.js";
import { overlappingPathWarnings } from "./overlapping-paths.js";

const v1_25 = "deprecated in v1.22, non-functional in v1.25+";
const v1_31 = "deprecated in v1.28, non-functional in v1.31+";

/** Deprecated volume sources, with their names in warnings, in the order of the warnings. */
const oldSources = [
  ["photonPersistentDisk", "photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"],
  ["gitRepo", "gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"],
  ["scaleIO", "scaleIO", "deprecated in v1.16, non-functional in v1.22+"],
  ["flocker", "flocker", v1_25],
  ["storageos", "storageOS", v1_25],
  ["quobyte", "quobyte", v1_25],
  ["glusterfs", "glusterfs", "deprecated in v1.25, non-functional in v1.26+"],
  ["cephfs", "cephfs", v1_31],
  ["rbd", "rbd", v1_31],
] as const;

/** Sources that cause no warning in a PersistentVolume. */
const silentInPersistent: ReadonlySet<string> = new Set(["flocker", "quobyte"]);

/** Returns warnings about the volumes of a pod. */
export function volumeWarnings(volumes: readonly JsonObject[], path: string): string[] {
  return [
    ...volumes.flatMap((volume, at) => {
      const { volumeClaimTemplate } = mapOf(volume["ephemeral"]);
      const claim = `${path}[${at}].ephemeral.volumeClaimTemplate.spec`;
      return [
        ...sourceWarnings(volume, `${path}[${at}]`),
        ...claimSpecWarnings(mapOf(mapOf(volumeClaimTemplate)["spec"]), claim),
      ];
    }),
    ...volumes.flatMap(overlappingPathWarnings),
  ];
}

/** Returns warnings about the source of a PersistentVolume. */
export function persistentSourceWarnings(spec: JsonObject, path: string): string[] {
  const received = Object.entries(spec).filter(([key]) => !silentInPersistent.has(key));
  return sourceWarnings(Object.fromEntries(received), path);
}

function sourceWarnings(volume: JsonObject, path: string): string[] {
  return oldSources
    .filter(([key]) => isJsonObject(volume[key]))
    .map(([, name, text]) => `${path}.${name}: ${text}`);
}

/** Returns warnings about the storage that a claim requests. */
export function claimSpecWarnings(spec: JsonObject, path: string): string[] {
  const { requests, limits } = mapOf(spec["resources"]);
  return [
    ...fractionWarnings(requests, "storage", `${path}.resources.requests`),
    ...fractionWarnings(limits, "storage", `${path}.resources.limits`),
  ];
}

/** Returns a warning about an amount that is not a whole number of bytes. */
export function fractionWarnings(amounts: unknown, resource: string, path: string): string[] {
  const amount = mapOf(amounts)[resource];
  const nanos = parseQuantity(amount)?.nanos ?? 0n;
  const millis = nanos / 1_000_000n + (nanos > 0n && nanos % 1_000_000n > 0n ? 1n : 0n);
  return millis % 1000n === 0n
    ? []
    : [
        `${path}[${resource}]: fractional byte value "${String(amount)}" is invalid, must be an integer`,
      ];
}
