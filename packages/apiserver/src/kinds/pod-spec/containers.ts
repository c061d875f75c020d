import { collectErrors, type FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import {
  isUnset,
  validateDnsLabel,
  validateGivenOneOf,
  validateOneOf,
  validatePort,
  validateRequired,
  validateRequiredWith,
  validateUnique,
} from "../../phases/validate/checks.js";
import { portNameTexts } from "../../phases/validate/name-texts.js";
import { validateResource } from "../fields/resource-amounts.js";
import { validateDevice, validateMount } from "./container-volumes.js";
import { validateEnv, validateEnvFrom } from "./environment.js";
import { validateUsedClaim } from "./pod-claims.js";
import type { PodSurroundings } from "./pod-surroundings.js";
import { validateHandler, validateProbe } from "./probes.js";
import { validateContainerSecurity } from "./security.js";

/** Appends the field errors of a pod's containers and init containers. */
export function validateContainers(
  spec: JsonObject,
  path: string,
  errors: FieldErrors,
  around: PodSurroundings,
): void {
  const containers = objectsOf(spec["containers"]);
  const inits = objectsOf(spec["initContainers"]);
  if (containers.length === 0) {
    errors.push(cause.required(`${path}.containers`));
    validateInit(inits, path, errors, around, new Set());
    return;
  }
  const names = containers.map(({ name }) => name);
  const field = (at: number) => `${path}.containers[${at}]`;
  for (const [at, one] of containers.entries()) {
    validateContainer(one, field(at), errors, around);
    validateLifecycle(one, field(at), errors, around);
  }
  validateUnique(names, (at) => `${field(at)}.name`, errors);
  validateHostPort(containers, `${path}.containers`, errors);
  validateInit(inits, path, errors, around, new Set(names));
}

const restartPolicies = ["Always", "Never", "OnFailure"];

function validateInit(
  inits: readonly JsonObject[],
  path: string,
  errors: FieldErrors,
  around: PodSurroundings,
  taken: ReadonlySet<unknown>,
): void {
  const seen = new Set(taken);
  for (const [at, one] of inits.entries()) {
    const field = `${path}.initContainers[${at}]`;
    const isTwice = !isUnset(one["name"]) && seen.has(one["name"]);
    seen.add(one["name"]);
    const isSidecar = one["restartPolicy"] === "Always";
    const forbidden = ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"]
      .filter((key) => !isSidecar && isJsonObject(one[key]))
      .map((key) =>
        cause.forbidden(
          `${field}.${key}`,
          "may not be set for init containers without restartPolicy=Always",
        ),
      );
    validateContainer(one, field, errors, around);
    if (isTwice) {
      errors.push(cause.duplicate(`${field}.name`, one["name"]));
    }
    validateGivenOneOf(one["restartPolicy"], restartPolicies, `${field}.restartPolicy`, errors);
    if (isSidecar) {
      validateLifecycle(one, field, errors, around);
    } else {
      errors.push(...forbidden);
    }
  }
}

/** Appends the field errors of a single container. */
export function validateContainer(
  one: JsonObject,
  path: string,
  errors: FieldErrors,
  around: PodSurroundings,
): void {
  const { name, image } = one;
  validateRequiredWith(name, validateDnsLabel, `${path}.name`, errors);
  validateRequired(image, `${path}.image`, errors);
  if (typeof image === "string" && image !== image.trim()) {
    errors.push(
      cause.invalid(`${path}.image`, image, "must not have leading or trailing whitespace"),
    );
  }
  validateOneOf(
    one["terminationMessagePolicy"],
    ["File", "FallbackToLogsOnError"],
    `${path}.terminationMessagePolicy`,
    errors,
  );
  validateContainerPorts(objectsOf(one["ports"]), `${path}.ports`, errors, around);
  validateEnv(objectsOf(one["env"]), `${path}.env`, errors);
  validateEnvFrom(objectsOf(one["envFrom"]), `${path}.envFrom`, errors);
  validateMount(one, `${path}.volumeMounts`, errors, around);
  validateDevice(one, `${path}.volumeDevices`, errors, around);
  validateOneOf(
    one["imagePullPolicy"],
    ["Always", "IfNotPresent", "Never"],
    `${path}.imagePullPolicy`,
    errors,
  );
  validateResource(mapOf(one["resources"]), `${path}.resources`, errors);
  validateUsedClaim(
    objectsOf(mapOf(one["resources"])["claims"]),
    around.resourceClaims,
    `${path}.resources.claims`,
    errors,
  );
  validateResize(objectsOf(one["resizePolicy"]), `${path}.resizePolicy`, errors);
  validateContainerSecurity(
    mapOf(one["securityContext"]),
    `${path}.securityContext`,
    errors,
    around.hostUsers,
  );
}

function validateResize(policies: readonly JsonObject[], path: string, errors: FieldErrors): void {
  const word = (value: unknown, words: readonly string[]) =>
    isUnset(value)
      ? [cause.required(path)]
      : collectErrors((found) => validateOneOf(value, words, path, found));
  for (const { resourceName, restartPolicy } of policies) {
    errors.push(...word(resourceName, ["cpu", "memory"]));
    errors.push(...word(restartPolicy, ["NotRequired", "RestartContainer"]));
  }
  validateUnique(
    policies.map(({ resourceName }) => resourceName),
    (at) => `${path}[${at}]`,
    errors,
  );
}

function validateLifecycle(
  one: JsonObject,
  path: string,
  errors: FieldErrors,
  { graceSeconds }: PodSurroundings,
): void {
  const hooks = mapOf(one["lifecycle"]);
  for (const key of ["postStart", "preStop"]) {
    if (isJsonObject(hooks[key])) {
      validateHandler(hooks[key], `${path}.lifecycle.${key}`, errors, graceSeconds);
    }
  }
  for (const key of ["livenessProbe", "readinessProbe", "startupProbe"]) {
    if (isJsonObject(one[key])) {
      validateProbe(one[key], `${path}.${key}`, errors, key);
    }
  }
}

function validateContainerPorts(
  ports: readonly JsonObject[],
  field: string,
  errors: FieldErrors,
  { hostNetwork }: PodSurroundings,
): void {
  const seen = new Set<unknown>();
  for (const [at, port] of ports.entries()) {
    const { name, containerPort, hostPort, protocol } = port;
    const path = `${field}[${at}]`;
    const causes: FieldErrors = [];
    if (typeof name === "string" && name !== "") {
      const wrong = portNameTexts(name);
      for (const why of wrong) {
        causes.push(cause.invalid(`${path}.name`, name, why));
      }
      if (wrong.length === 0 && seen.has(name)) {
        causes.push(cause.duplicate(`${path}.name`, name));
      }
      seen.add(name);
    }
    const isMissing = isUnset(containerPort) || containerPort === 0;
    const isOther = hostNetwork && (hostPort ?? 0) !== 0 && hostPort !== containerPort;
    errors.push(...causes);
    if (isMissing) {
      errors.push(cause.required(`${path}.containerPort`));
    } else {
      validatePort(containerPort, `${path}.containerPort`, errors);
    }
    if ((hostPort ?? 0) !== 0) {
      validatePort(hostPort, `${path}.hostPort`, errors);
    }
    validateOneOf(protocol, ["SCTP", "TCP", "UDP"], `${path}.protocol`, errors);
    if (isOther) {
      errors.push(
        cause.invalid(
          `${path}.hostPort`,
          hostPort,
          "must match `containerPort` when `hostNetwork` is true",
        ),
      );
    }
  }
}

function validateHostPort(
  containers: readonly JsonObject[],
  path: string,
  errors: FieldErrors,
): void {
  const seen = new Set<string>();
  for (const [at, one] of containers.entries()) {
    for (const [portAt, port] of objectsOf(one["ports"]).entries()) {
      const { hostPort, protocol, hostIP } = port;
      if ((hostPort ?? 0) === 0) {
        continue;
      }
      const key = `${String(protocol)}/${String(hostIP ?? "")}/${String(hostPort)}`;
      const isTwice = seen.has(key);
      seen.add(key);
      if (isTwice) {
        errors.push(cause.duplicate(`${path}[${at}].ports[${portAt}].hostPort`, key));
      }
    }
  }
}
