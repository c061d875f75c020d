import { mapOf, objectsOf } from "../kinds/parts.js";
import { cause } from "../response/status-errors.js";
import type { JsonObject } from "../store/json-value.js";
import { isJsonObject } from "../store/json-value.js";
import {
  type Causes,
  dnsLabel,
  duplicates,
  givenOneOf,
  isUnset,
  oneOf,
  portNameTexts,
  portNumber,
  required,
} from "./checks.js";
import { deviceCauses, mountCauses } from "./container-volumes.js";
import { envCauses, envFromCauses } from "./environment.js";
import { usedClaimCauses } from "./pod-claims.js";
import { handlerCauses, probeCauses } from "./probes.js";
import { resourceCauses } from "./resources.js";
import { containerSecurityCauses } from "./security.js";

/** What containers are checked against: the rest of the pod. */
export interface PodSurroundings {
  readonly volumes: ReadonlyMap<unknown, JsonObject>;
  readonly hostNetwork: boolean;
  /** The names of the devices that it asks for. */
  readonly resourceClaims: readonly unknown[];
  readonly graceSeconds: number;
  /** False for a pod in a user namespace of its own. */
  readonly hostUsers: boolean;
}

/** What is wrong with the containers of a pod, before those of a pod that stands for itself. */
export function containersCauses(spec: JsonObject, path: string, around: PodSurroundings): Causes {
  const containers = objectsOf(spec["containers"]);
  const inits = objectsOf(spec["initContainers"]);
  if (containers.length === 0) {
    return [cause.required(`${path}.containers`), ...initCauses(inits, path, around, new Set())];
  }
  const names = containers.map(({ name }) => name);
  const field = (at: number) => `${path}.containers[${at}]`;
  return [
    ...containers.flatMap((one, at) => [
      ...containerCauses(one, field(at), around),
      ...lifecycleCauses(one, field(at), around),
    ]),
    ...duplicates(names, (at) => `${field(at)}.name`),
    ...hostPortCauses(containers, `${path}.containers`),
    ...initCauses(inits, path, around, new Set(names)),
  ];
}

const restartPolicies = ["Always", "Never", "OnFailure"];

function initCauses(
  inits: readonly JsonObject[],
  path: string,
  around: PodSurroundings,
  taken: ReadonlySet<unknown>,
): Causes {
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
      ...containerCauses(one, field, around),
      ...(isTwice ? [cause.duplicate(`${field}.name`, one["name"])] : []),
      ...givenOneOf(`${field}.restartPolicy`, one["restartPolicy"], restartPolicies),
      ...(isSidecar ? lifecycleCauses(one, field, around) : forbidden),
    ];
  });
}

/** What is wrong with a container by itself. */
export function containerCauses(one: JsonObject, field: string, around: PodSurroundings): Causes {
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
    ...portCauses(objectsOf(one["ports"]), `${field}.ports`, around),
    ...envCauses(objectsOf(one["env"]), `${field}.env`),
    ...envFromCauses(objectsOf(one["envFrom"]), `${field}.envFrom`),
    ...mountCauses(one, `${field}.volumeMounts`, around),
    ...deviceCauses(one, `${field}.volumeDevices`, around),
    ...oneOf(`${field}.imagePullPolicy`, one["imagePullPolicy"], [
      "Always",
      "IfNotPresent",
      "Never",
    ]),
    ...resourceCauses(mapOf(one["resources"]), `${field}.resources`),
    ...usedClaimCauses(
      objectsOf(mapOf(one["resources"])["claims"]),
      around.resourceClaims,
      `${field}.resources.claims`,
    ),
    ...resizeCauses(objectsOf(one["resizePolicy"]), `${field}.resizePolicy`),
    ...containerSecurityCauses(
      mapOf(one["securityContext"]),
      `${field}.securityContext`,
      around.hostUsers,
    ),
  ];
}

function resizeCauses(policies: readonly JsonObject[], field: string): Causes {
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

function lifecycleCauses(
  one: JsonObject,
  field: string,
  { graceSeconds }: PodSurroundings,
): Causes {
  const hooks = mapOf(one["lifecycle"]);
  return [
    ...["postStart", "preStop"].flatMap((key) =>
      isJsonObject(hooks[key])
        ? handlerCauses(hooks[key], `${field}.lifecycle.${key}`, graceSeconds)
        : [],
    ),
    ...["livenessProbe", "readinessProbe", "startupProbe"].flatMap((key) =>
      isJsonObject(one[key]) ? probeCauses(one[key], `${field}.${key}`, key) : [],
    ),
  ];
}

function portCauses(
  ports: readonly JsonObject[],
  field: string,
  { hostNetwork }: PodSurroundings,
): Causes {
  const seen = new Set<unknown>();
  return ports.flatMap((port, at) => {
    const { name, containerPort, hostPort, protocol } = port;
    const path = `${field}[${at}]`;
    const causes: Causes = [];
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

function hostPortCauses(containers: readonly JsonObject[], path: string): Causes {
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
