import type { ApiObject } from "../../objects/api-object.js";
import { isJsonObject, type JsonObject, stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import { addressWarnings } from "../fields/address-warnings.js";
import { labelNameWarnings } from "../fields/name-warnings.js";
import {
  nodeLabelWarnings,
  nodeSelectorWarnings,
  nodeTermWarnings,
  oldLabelText,
} from "../fields/node-label-warnings.js";
import { fractionWarnings, volumeWarnings } from "../volumes/volume-warnings.js";
import { must, should } from "./affinity.js";
import { amountWarnings, hiddenVariableWarnings, portWarnings } from "./container-warnings.js";
import { type PlacedContainer, placedContainers } from "./placed-containers.js";
import { appArmorOfContainer, seccompOfContainer, seccompOfPod } from "./pod-annotations.js";

const noSeccomp = 'non-functional in v1.27+; use the "seccompProfile" field instead';
const oldAppArmor = 'deprecated since v1.30; use the "appArmorProfile" field instead';
const noMatch = "a null labelSelector results in matching no pod";

/** Annotations that have been replaced by fields. */
const oldAnnotations = [
  [
    "scheduler.alpha.kubernetes.io/critical-pod",
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  ],
  [
    "security.alpha.kubernetes.io/sysctls",
    'non-functional in v1.11+; use the "sysctls" field instead',
  ],
  [
    "security.alpha.kubernetes.io/unsafe-sysctls",
    'non-functional in v1.11+; use the "sysctls" field instead',
  ],
] as const;

/** Returns warnings about a new pod. */
export function podWarnings(pod: ApiObject): string[] {
  const spec = specOf(pod);
  return [
    ...placedContainers(spec, "spec").flatMap(({ container }) =>
      appArmorWarnings(pod.metadata, spec, container, "metadata"),
    ),
    ...labelNameWarnings(pod, "the Pod's hostname"),
    ...specWarnings(pod, "", () => []),
  ];
}

/** Returns warnings about a pod template. */
export function templateWarnings(template: unknown, path: string): string[] {
  const { metadata } = mapOf(template);
  const grace = Number(specOf(mapOf(template))["terminationGracePeriodSeconds"] ?? 0);
  const negative = "must be >= 0; negative values are invalid and will be treated as 1";
  return specWarnings(
    mapOf(template),
    `${path}.`,
    (spec, container) => appArmorWarnings(mapOf(metadata), spec, container, `${path}.metadata`),
    grace < 0 ? [`${path}.spec.terminationGracePeriodSeconds: ${negative}`] : [],
  );
}

/**
 * @param prefix - prefix of all field paths.
 * @param ofContainer - returns further warnings about a container.
 * @param ofTemplate - warnings for templates only, where pods already have corrected values.
 */
function specWarnings(
  pod: JsonObject,
  prefix: string,
  ofContainer: (spec: JsonObject, container: JsonObject) => string[],
  ofTemplate: readonly string[] = [],
): string[] {
  const spec = specOf(pod);
  const path = `${prefix}spec`;
  const annotations = mapOf(mapOf(pod["metadata"])["annotations"]);
  const { podAffinity, podAntiAffinity } = mapOf(spec["affinity"]);
  const annotationField = (key: string) => `${prefix}metadata.annotations[${key}]`;
  const containers = placedContainers(spec, path);
  const aliases = objectsOf(spec["hostAliases"]);
  return [
    ...placementWarnings(spec, path),
    ...oldAnnotations.flatMap(([key, text]) =>
      key in annotations ? [`${annotationField(key)}: ${text}`] : [],
    ),
    ...volumeWarnings(objectsOf(spec["volumes"]), `${path}.volumes`),
    ...duplicateWarnings(aliases, "ip", `${path}.hostAliases`),
    ...pullSecretWarnings(objectsOf(spec["imagePullSecrets"]), `${path}.imagePullSecrets`),
    ...["memory", "ephemeral-storage"].flatMap((resource) =>
      fractionWarnings(spec["overhead"], resource, `${path}.overhead`),
    ),
    ...(seccompOfPod in annotations && !hasField(spec, "seccompProfile")
      ? [`${annotationField(seccompOfPod)}: ${noSeccomp}`]
      : []),
    ...containers.flatMap((one: PlacedContainer) => {
      const key = `${seccompOfContainer}${String(one.container["name"])}`;
      return [
        ...(key in annotations && !hasField(one.container, "seccompProfile")
          ? [`${annotationField(key)}: ${noSeccomp}`]
          : []),
        ...ofContainer(spec, one.container),
        ...amountWarnings(one),
        ...hiddenVariableWarnings(one),
      ];
    }),
    ...portWarnings(containers),
    ...ofTemplate,
    ...nullSelectorWarnings(mapOf(podAffinity), `${path}.affinity.podAffinity`),
    ...nullSelectorWarnings(mapOf(podAntiAffinity), `${path}.affinity.podAntiAffinity`),
    ...stringsOf(mapOf(spec["dnsConfig"])["nameservers"]).flatMap((address, at) =>
      addressWarnings(`${path}.dnsConfig.nameservers[${at}]`, address),
    ),
    ...aliases.flatMap(({ ip }, at) =>
      addressWarnings(`${path}.hostAliases[${at}].ip`, String(ip)),
    ),
  ];
}

function hasField(one: JsonObject, key: string): boolean {
  return isJsonObject(mapOf(one["securityContext"])[key]);
}

function appArmorWarnings(
  { annotations }: JsonObject,
  spec: JsonObject,
  container: JsonObject,
  path: string,
): string[] {
  const key = `${appArmorOfContainer}${String(container["name"])}`;
  const isFieldThere = [spec, container].some((one) => hasField(one, "appArmorProfile"));
  return key in mapOf(annotations) && !isFieldThere
    ? [`${path}.annotations[${key}]: ${oldAppArmor}`]
    : [];
}

/** Returns warnings about the placement of a pod. */
function placementWarnings(spec: JsonObject, path: string): string[] {
  const { nodeAffinity } = mapOf(spec["affinity"]);
  const place = `${path}.affinity.nodeAffinity`;
  return [
    ...nodeLabelWarnings(spec["nodeSelector"], (label) => `${path}.nodeSelector[${label}]`),
    ...nodeSelectorWarnings(mapOf(nodeAffinity)[must], `${place}.${must}`),
    ...objectsOf(mapOf(nodeAffinity)[should]).flatMap(({ preference }, at) =>
      nodeTermWarnings(preference, `${place}.${should}[${at}].preference`),
    ),
    ...objectsOf(spec["topologySpreadConstraints"]).flatMap((one, at) => {
      const { topologyKey, labelSelector } = one;
      const constraint = `${path}.topologySpreadConstraints[${at}]`;
      const text = oldLabelText(topologyKey);
      return [
        ...(text === undefined
          ? []
          : [`${constraint}.topologyKey: ${String(topologyKey)} is ${text}`]),
        ...(isJsonObject(labelSelector) ? [] : [`${constraint}.labelSelector: ${noMatch}`]),
      ];
    }),
  ];
}

function nullSelectorWarnings(affinity: JsonObject, path: string): string[] {
  return [
    ...objectsOf(affinity[must]).flatMap((term, at) =>
      isJsonObject(term["labelSelector"])
        ? []
        : [`${path}.${must}[${at}].labelSelector: ${noMatch}`],
    ),
    ...objectsOf(affinity[should]).flatMap(({ podAffinityTerm }, at) =>
      isJsonObject(mapOf(podAffinityTerm)["labelSelector"])
        ? []
        : [`${path}.${should}[${at}].podAffinityTerm.labelSelector: ${noMatch}`],
    ),
  ];
}

function pullSecretWarnings(secrets: readonly JsonObject[], path: string): string[] {
  return [
    ...duplicateWarnings(secrets, "name", path),
    ...secrets.flatMap(({ name }, at) =>
      (name ?? "") === "" ? [`${path}[${at}].name: invalid empty name ""`] : [],
    ),
  ];
}

function duplicateWarnings(list: readonly JsonObject[], key: string, path: string): string[] {
  const seen = new Set<unknown>();
  return list.flatMap((one, at) => {
    const value = one[key] ?? "";
    const isTwice = seen.has(value);
    seen.add(value);
    return isTwice ? [`${path}[${at}].${key}: duplicate ${key} "${String(value)}"`] : [];
  });
}
