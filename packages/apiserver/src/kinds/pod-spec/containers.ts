import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { JsonObject } from "../../objects/json-value.js";
import { isJsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { isUnset } from "../../phases/validate/checks.js";
import { portNameTexts } from "../../phases/validate/name-texts.js";
import {
  dnsLabel,
  duplicates,
  givenOneOf,
  oneOf,
  portNumber,
  required,
} from "../../phases/validate/old-checks.js";
import { validateResource } from "../fields/resource-amounts.js";
import { validateDevice, validateMount } from "./container-volumes.js";
import { validateEnv, validateEnvFrom } from "./environment.js";
import { validateUsedClaim } from "./pod-claims.js";
import type { PodSurroundings } from "./pod-surroundings.js";
import { validateHandler, validateProbe } from "./probes.js";
import { validateContainerSecurity } from "./security.js";

/** Returns the field errors of a pod's containers and init containers. */
export function validateContainers(
  spec: JsonObject,
  path: string,
  around: PodSurroundings,
): FieldErrors {
  const containers = objectsOf(spec["containers"]);
  const inits = objectsOf(spec["initContainers"]);
  if (containers.length === 0) {
    return [cause.required(`${path}.containers`), ...validateInit(inits, path, around, new Set())];
  }
  const names = containers.map(({ name }) => name);
  const field = (at: number) => `${path}.containers[${at}]`;
  return [
    ...containers.flatMap((one, at) => [
      ...validateContainer(one, field(at), around),
      ...validateLifecycle(one, field(at), around),
    ]),
    ...duplicates(names, (at) => `${field(at)}.name`),
    ...validateHostPort(containers, `${path}.containers`),
    ...validateInit(inits, path, around, new Set(names)),
  ];
}

const restartPolicies = ["Always", "Never", "OnFailure"];

function validateInit(
  inits: readonly JsonObject[],
  path: string,
  around: PodSurroundings,
  taken: ReadonlySet<unknown>,
): FieldErrors {
  const seen = new Set(taken);
  return inits.flatMap((one, at) => {
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
    return [
      ...validateContainer(one, field, around),
      ...(isTwice ? [cause.duplicate(`${field}.name`, one["name"])] : []),
      ...givenOneOf(`${field}.restartPolicy`, one["restartPolicy"], restartPolicies),
      ...(isSidecar ? validateLifecycle(one, field, around) : forbidden),
    ];
  });
}

/** Returns the field errors of a single container. */
export function validateContainer(
  one: JsonObject,
  field: string,
  around: PodSurroundings,
): FieldErrors {
  const { name, image } = one;
  return [
    ...(isUnset(name) ? [cause.required(`${field}.name`)] : dnsLabel(`${field}.name`, name)),
    ...required(`${field}.image`, image),
    ...(typeof image === "string" && image !== image.trim()
      ? [cause.invalid(`${field}.image`, image, "must not have leading or trailing whitespace")]
      : []),
    ...oneOf(`${field}.terminationMessagePolicy`, one["terminationMessagePolicy"], [
      "File",
      "FallbackToLogsOnError",
    ]),
    ...validatePort(objectsOf(one["ports"]), `${field}.ports`, around),
    ...validateEnv(objectsOf(one["env"]), `${field}.env`),
    ...validateEnvFrom(objectsOf(one["envFrom"]), `${field}.envFrom`),
    ...validateMount(one, `${field}.volumeMounts`, around),
    ...validateDevice(one, `${field}.volumeDevices`, around),
    ...oneOf(`${field}.imagePullPolicy`, one["imagePullPolicy"], [
      "Always",
      "IfNotPresent",
      "Never",
    ]),
    ...validateResource(mapOf(one["resources"]), `${field}.resources`),
    ...validateUsedClaim(
      objectsOf(mapOf(one["resources"])["claims"]),
      around.resourceClaims,
      `${field}.resources.claims`,
    ),
    ...validateResize(objectsOf(one["resizePolicy"]), `${field}.resizePolicy`),
    ...validateContainerSecurity(
      mapOf(one["securityContext"]),
      `${field}.securityContext`,
      around.hostUsers,
    ),
  ];
}

function validateResize(policies: readonly JsonObject[], field: string): FieldErrors {
  const word = (value: unknown, words: readonly string[]) =>
    isUnset(value) ? [cause.required(field)] : oneOf(field, value, words);
  return [
    ...policies.flatMap(({ resourceName, restartPolicy }) => [
      ...word(resourceName, ["cpu", "memory"]),
      ...word(restartPolicy, ["NotRequired", "RestartContainer"]),
    ]),
    ...duplicates(
      policies.map(({ resourceName }) => resourceName),
      (at) => `${field}[${at}]`,
    ),
  ];
}

function validateLifecycle(
  one: JsonObject,
  field: string,
  { graceSeconds }: PodSurroundings,
): FieldErrors {
  const hooks = mapOf(one["lifecycle"]);
  return [
    ...["postStart", "preStop"].flatMap((key) =>
      isJsonObject(hooks[key])
        ? validateHandler(hooks[key], `${field}.lifecycle.${key}`, graceSeconds)
        : [],
    ),
    ...["livenessProbe", "readinessProbe", "startupProbe"].flatMap((key) =>
      isJsonObject(one[key]) ? validateProbe(one[key], `${field}.${key}`, key) : [],
    ),
  ];
}

function validatePort(
  ports: readonly JsonObject[],
  field: string,
  { hostNetwork }: PodSurroundings,
): FieldErrors {
  const seen = new Set<unknown>();
  return ports.flatMap((port, at) => {
    const { name, containerPort, hostPort, protocol } = port;
    const path = `${field}[${at}]`;
    const causes: FieldErrors = [];
    if (typeof name === "string" && name !== "") {
      const wrong = portNameTexts(name);
      causes.push(...wrong.map((why) => cause.invalid(`${path}.name`, name, why)));
      if (wrong.length === 0 && seen.has(name)) {
        causes.push(cause.duplicate(`${path}.name`, name));
      }
      seen.add(name);
    }
    const isMissing = isUnset(containerPort) || containerPort === 0;
    const isOther = hostNetwork && (hostPort ?? 0) !== 0 && hostPort !== containerPort;
    return [
      ...causes,
      ...(isMissing
        ? [cause.required(`${path}.containerPort`)]
        : portNumber(`${path}.containerPort`, containerPort)),
      ...((hostPort ?? 0) === 0 ? [] : portNumber(`${path}.hostPort`, hostPort)),
      ...oneOf(`${path}.protocol`, protocol, ["SCTP", "TCP", "UDP"]),
      ...(isOther
        ? [
            cause.invalid(
              `${path}.hostPort`,
              hostPort,
              "must match `containerPort` when `hostNetwork` is true",
            ),
          ]
        : []),
    ];
  });
}

function validateHostPort(containers: readonly JsonObject[], path: string): FieldErrors {
  const seen = new Set<string>();
  return containers.flatMap((one, at) =>
    objectsOf(one["ports"]).flatMap((port, portAt) => {
      const { hostPort, protocol, hostIP } = port;
      if ((hostPort ?? 0) === 0) {
        return [];
      }
      const key = `${String(protocol)}/${String(hostIP ?? "")}/${String(hostPort)}`;
      const isTwice = seen.has(key);
      seen.add(key);
      return isTwice ? [cause.duplicate(`${path}[${at}].ports[${portAt}].hostPort`, key)] : [];
    }),
  );
}
