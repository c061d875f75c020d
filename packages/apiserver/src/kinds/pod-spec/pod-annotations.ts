import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { validateRelativePath } from "../fields/paths.js";

const seccompOfPod = "seccomp.security.alpha.kubernetes.io/pod";
const seccompOfContainer = "container.seccomp.security.alpha.kubernetes.io/";
const appArmorOfContainer = "container.apparmor.security.beta.kubernetes.io/";
const local = "localhost/";
const seccompProfiles = ["runtime/default", "docker/default", "unconfined"];
const appArmorProfiles = ["", "runtime/default", "unconfined"];

/**
 * Appends the field errors of the legacy seccomp and AppArmor annotations.
 *
 * @param field - path of the annotations.
 */
export function validatePodAnnotation(
  annotations: unknown,
  spec: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  const containers = ["initContainers", "containers", "ephemeralContainers"].flatMap((list) =>
    objectsOf(spec[list]).map(({ name }) => name),
  );
  for (const [key, value] of Object.entries(mapOf(annotations))) {
    const profile = String(value);
    if (key === seccompOfPod || key.startsWith(seccompOfContainer)) {
      validateSeccomp(profile, `${path}.${key}`, errors);
      continue;
    }
    if (key.startsWith(appArmorOfContainer)) {
      validateAppArmor(
        profile,
        key.slice(appArmorOfContainer.length),
        containers,
        `${path}[${key}]`,
        errors,
      );
    }
  }
}

function validateSeccomp(profile: string, path: string, errors: FieldErrors): void {
  if (profile.startsWith(local)) {
    validateRelativePath(path, errors, profile.slice(local.length));
    return;
  }
  if (!seccompProfiles.includes(profile)) {
    errors.push(cause.invalid(path, profile, "must be a valid seccomp profile"));
  }
}

function validateAppArmor(
  profile: string,
  container: string,
  containers: readonly unknown[],
  path: string,
  errors: FieldErrors,
): void {
  if (!containers.includes(container)) {
    errors.push(cause.invalid(path, container, "container not found"));
  }
  if (!appArmorProfiles.includes(profile) && !profile.startsWith(local)) {
    errors.push(cause.invalid(path, profile, `invalid AppArmor profile name: "${profile}"`));
  }
}
