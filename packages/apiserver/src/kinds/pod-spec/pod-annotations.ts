import { cause, type FieldErrors } from "../../errors/field-errors.js";
import type { JsonObject } from "../../objects/json-value.js";
import { mapOf } from "../../objects/parts.js";
import { validateRelativePath } from "../fields/paths.js";
import { containerLists, placedContainers } from "./placed-containers.js";

/** Annotation with the seccomp profile of a pod. */
export const seccompOfPod = "seccomp.security.alpha.kubernetes.io/pod";
/** Prefix of the annotations with the seccomp profiles of containers. */
export const seccompOfContainer = "container.seccomp.security.alpha.kubernetes.io/";
/** Prefix of the annotations with the AppArmor profiles of containers. */
export const appArmorOfContainer = "container.apparmor.security.beta.kubernetes.io/";
const local = "localhost/";
const seccompProfiles = ["runtime/default", "docker/default", "unconfined"];
const appArmorProfiles = ["", "runtime/default", "unconfined"];

/** Appends the field errors of the legacy seccomp and AppArmor annotations. */
export function validatePodAnnotations(
  annotations: unknown,
  spec: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  for (const [key, value] of Object.entries(mapOf(annotations))) {
    const profile = String(value);
    if (key === seccompOfPod || key.startsWith(seccompOfContainer)) {
      validateSeccomp(profile, `${path}.${key}`, errors);
    } else if (key.startsWith(appArmorOfContainer)) {
      const name = key.slice(appArmorOfContainer.length);
      const containers = placedContainers(spec, path, containerLists);
      if (!containers.some(({ container }) => container["name"] === name)) {
        errors.push(cause.invalid(`${path}[${key}]`, name, "container not found"));
      }
      validateAppArmor(profile, `${path}[${key}]`, errors);
    }
  }
}

function validateSeccomp(profile: string, path: string, errors: FieldErrors): void {
  if (profile.startsWith(local)) {
    validateRelativePath(profile.slice(local.length), path, errors);
  } else if (!seccompProfiles.includes(profile)) {
    errors.push(cause.invalid(path, profile, "must be a valid seccomp profile"));
  }
}

function validateAppArmor(profile: string, path: string, errors: FieldErrors): void {
  if (!appArmorProfiles.includes(profile) && !profile.startsWith(local)) {
    errors.push(cause.invalid(path, profile, `invalid AppArmor profile name: "${profile}"`));
  }
}
