import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { relativePath } from "../fields/paths.js";

const seccompOfPod = "seccomp.security.alpha.kubernetes.io/pod";
const seccompOfContainer = "container.seccomp.security.alpha.kubernetes.io/";
const appArmorOfContainer = "container.apparmor.security.beta.kubernetes.io/";
const local = "localhost/";
const seccompProfiles = ["runtime/default", "docker/default", "unconfined"];
const appArmorProfiles = ["", "runtime/default", "unconfined"];

/**
 * Returns the field errors of the legacy seccomp and AppArmor annotations.
 *
 * @param field - path of the annotations.
 */
export function validatePodAnnotation(
  annotations: unknown,
  spec: JsonObject,
  field: string,
): FieldErrors {
  const containers = ["initContainers", "containers", "ephemeralContainers"].flatMap((list) =>
    objectsOf(spec[list]).map(({ name }) => name),
  );
  return Object.entries(mapOf(annotations)).flatMap(([key, value]) => {
    const profile = String(value);
    if (key === seccompOfPod || key.startsWith(seccompOfContainer)) {
      return validateSeccomp(profile, `${field}.${key}`);
    }
    return key.startsWith(appArmorOfContainer)
      ? validateAppArmor(
          profile,
          key.slice(appArmorOfContainer.length),
          containers,
          `${field}[${key}]`,
        )
      : [];
  });
}

function validateSeccomp(profile: string, field: string): FieldErrors {
  if (profile.startsWith(local)) {
    return relativePath(field, profile.slice(local.length));
  }
  return seccompProfiles.includes(profile)
    ? []
    : [cause.invalid(field, profile, "must be a valid seccomp profile")];
}

function validateAppArmor(
  profile: string,
  container: string,
  containers: readonly unknown[],
  field: string,
): FieldErrors {
  return [
    ...(containers.includes(container)
      ? []
      : [cause.invalid(field, container, "container not found")]),
    ...(appArmorProfiles.includes(profile) || profile.startsWith(local)
      ? []
      : [cause.invalid(field, profile, `invalid AppArmor profile name: "${profile}"`)]),
  ];
}
