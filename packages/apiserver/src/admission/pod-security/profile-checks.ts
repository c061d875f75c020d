import type { JsonObject } from "../../objects/json-value.js";
import { mapOf } from "../../objects/parts.js";
import {
  namedContainers,
  type PodCheck,
  type PodView,
  plural,
  quoted,
  securityOf,
  setters,
  sorted,
  type Violation,
} from "./pod-check.js";

const appArmorPrefix = "container.apparmor.security.beta.kubernetes.io/";
const seccompPod = "seccomp.security.alpha.kubernetes.io/pod";
const seccompContainer = "container.seccomp.security.alpha.kubernetes.io/";

/** Baseline checks of the confinement profiles AppArmor and seccomp. */
export const profileChecks: readonly PodCheck[] = [
  {
    id: "appArmorProfile",
    level: "baseline",
    versions: [{ since: 0, check: appArmorProfiles }],
  },
  {
    id: "seccompProfile_baseline",
    level: "baseline",
    versions: [
      { since: 0, check: seccompAnnotations },
      { since: 19, check: seccompProfiles },
    ],
  },
];

/** Returns the profile type of a pod or container; `undefined` without a profile. */
export function profileType(holder: JsonObject, field: string): string | undefined {
  const profile = securityOf(holder)[field];
  return profile === undefined || profile === null
    ? undefined
    : String(mapOf(profile)["type"] ?? "");
}

/** Returns true for a profile type that confines a container. */
export function isConfining(type: string | undefined): boolean {
  return type === "RuntimeDefault" || type === "Localhost";
}

/** Finds seccomp profiles that don't confine their container. */
export function seccompProfiles({ spec, containers }: PodView): Violation | undefined {
  const { isBad, bad, values } = unconfined(spec, containers, "seccompProfile");
  const who = setters(isBad, bad);
  return who === ""
    ? undefined
    : {
        reason: "seccompProfile",
        detail: `${who} must not set securityContext.seccompProfile.type to ${quoted(values)}`,
      };
}

function unconfined(spec: JsonObject, containers: readonly JsonObject[], field: string) {
  const isUnconfined = (holder: JsonObject) => {
    const type = profileType(holder, field);
    return type !== undefined && !isConfining(type);
  };
  const bad = containers.filter(isUnconfined);
  const isBad = isUnconfined(spec);
  const holders = isBad ? [spec, ...bad] : bad;
  return { isBad, bad, values: sorted(holders.map((one) => profileType(one, field) ?? "")) };
}

function appArmorProfiles({ metadata, spec, containers }: PodView): Violation | undefined {
  const { isBad, bad, values } = unconfined(spec, containers, "appArmorProfile");
  const annotations = Object.entries(metadata.annotations ?? {})
    .filter(([key, value]) => key.startsWith(appArmorPrefix) && !isAllowedAppArmor(value))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .sort();
  const who = [
    ...(isBad ? ["pod"] : []),
    ...(bad.length > 0 ? [namedContainers(bad)] : []),
    ...(annotations.length > 0 ? [plural("annotation", annotations.length)] : []),
  ];
  const all = [...values, ...annotations];
  return who.length === 0
    ? undefined
    : {
        reason: plural("forbidden AppArmor profile", all.length),
        detail: `${who.join(" and ")} must not set AppArmor profile type to ${quoted(all)}`,
      };
}

function isAllowedAppArmor(value: string): boolean {
  return value === "" || value === "runtime/default" || value.startsWith("localhost/");
}

/** Finds forbidden seccomp annotations, used before 1.19 instead of profile fields. */
function seccompAnnotations({ metadata, containers }: PodView): Violation | undefined {
  const { annotations = {} } = metadata;
  const keys = [seccompPod, ...containers.map(({ name }) => `${seccompContainer}${String(name)}`)];
  const forbidden = sorted(
    keys.flatMap((key) => {
      const value = annotations[key];
      return value === undefined || isAllowedSeccomp(value)
        ? []
        : [`${key}=${JSON.stringify(value)}`];
    }),
  );
  return forbidden.length === 0
    ? undefined
    : {
        reason: "seccompProfile",
        detail: `forbidden ${plural("annotation", forbidden.length)} ${forbidden.join(", ")}`,
      };
}

function isAllowedSeccomp(value: string): boolean {
  return (
    value === "runtime/default" || value === "docker/default" || value.startsWith("localhost/")
  );
}
