import { type JsonObject, stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { procMounts, uses, violation } from "./baseline-checks.js";
import {
  hasUserNamespace,
  isWindows,
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
import { profileType, seccompProfiles } from "./profile-checks.js";

type Check = (pod: PodView) => Violation | undefined;

const allowedVolumes = [
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "image",
  "persistentVolumeClaim",
  "projected",
  "secret",
];
/** Volume types in the order in which they are looked up. */
const restrictedVolumes = [
  "hostPath",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "gitRepo",
  "nfs",
  "iscsi",
  "glusterfs",
  "rbd",
  "flexVolume",
  "cinder",
  "cephfs",
  "flocker",
  "fc",
  "azureFile",
  "vsphereVolume",
  "quobyte",
  "azureDisk",
  "photonPersistentDisk",
  "portworxVolume",
  "scaleIO",
  "storageos",
];

const exceptWindows =
  (check: Check): Check =>
  (pod) =>
    isWindows(pod) ? undefined : check(pod);
const exceptUserNamespaces =
  (check: Check): Check =>
  (pod) =>
    hasUserNamespace(pod) ? undefined : check(pod);

/** Checks that the level `restricted` adds. (pod-security-admission `policy/check_*.go`) */
export const restrictedChecks: readonly PodCheck[] = [
  restricted("allowPrivilegeEscalation", [
    [8, escalation],
    [25, exceptWindows(escalation)],
  ]),
  restricted(
    "capabilities_restricted",
    [
      [22, capabilities],
      [25, exceptWindows(capabilities)],
    ],
    "capabilities_baseline",
  ),
  restricted("procMount_restricted", [[35, procMounts]], "procMount"),
  restricted("restrictedVolumes", [[0, volumes]], "hostPathVolumes"),
  restricted("runAsNonRoot", [
    [0, nonRoot],
    [35, exceptUserNamespaces(nonRoot)],
  ]),
  restricted("runAsUser", [
    [23, rootUser],
    [35, exceptUserNamespaces(rootUser)],
  ]),
  restricted(
    "seccompProfile_restricted",
    [
      [19, seccomp],
      [25, exceptWindows(seccomp)],
    ],
    "seccompProfile_baseline",
  ),
];

function restricted(
  id: string,
  versions: readonly (readonly [since: number, check: Check])[],
  overrides?: string,
): PodCheck {
  return {
    id,
    level: "restricted",
    versions: versions.map(([since, check]) => ({ since, check })),
    ...(overrides === undefined ? {} : { overrides }),
  };
}

function escalation({ containers }: PodView): Violation | undefined {
  const bad = containers.filter((one) => securityOf(one)["allowPrivilegeEscalation"] !== false);
  return violation(
    bad.length > 0,
    "allowPrivilegeEscalation != false",
    () => `${namedContainers(bad)} must set securityContext.allowPrivilegeEscalation=false`,
  );
}

function capabilities({ containers }: PodView): Violation | undefined {
  const listed = (container: JsonObject, list: string) =>
    stringsOf(mapOf(securityOf(container)["capabilities"])[list]);
  const forbidden = (container: JsonObject) =>
    listed(container, "add").filter((name) => name !== "NET_BIND_SERVICE");
  const keeping = containers.filter((one) => !listed(one, "drop").includes("ALL"));
  const adding = containers.filter((one) => forbidden(one).length > 0);
  return violation(keeping.length + adding.length > 0, "unrestricted capabilities", () => {
    const names = quoted(sorted(adding.flatMap(forbidden)));
    return [
      ...(keeping.length > 0
        ? [`${namedContainers(keeping)} must set securityContext.capabilities.drop=["ALL"]`]
        : []),
      ...(adding.length > 0
        ? [
            `${namedContainers(adding)} must not include ${names} in securityContext.capabilities.add`,
          ]
        : []),
    ].join("; ");
  });
}

function volumes({ spec }: PodView): Violation | undefined {
  const isSet = (volume: JsonObject) => (field: string) =>
    volume[field] !== undefined && volume[field] !== null;
  const bad = objectsOf(spec["volumes"]).filter((volume) => !allowedVolumes.some(isSet(volume)));
  return violation(bad.length > 0, "restricted volume types", () => {
    const types = sorted(bad.map((volume) => restrictedVolumes.find(isSet(volume)) ?? "unknown"));
    const names = quoted(bad.map(({ name }) => String(name)));
    return `${plural("volume", bad.length)} ${names} ${uses(bad.length)} ${plural("restricted volume type", types.length)} ${quoted(types)}`;
  });
}

function nonRoot({ spec, containers }: PodView): Violation | undefined {
  const flagOf = (holder: JsonObject) => securityOf(holder)["runAsNonRoot"] ?? undefined;
  const reason = "runAsNonRoot != true";
  const explicit = setters(
    flagOf(spec) === false,
    containers.filter((one) => flagOf(one) === false),
  );
  if (explicit !== "") {
    return { reason, detail: `${explicit} must not set securityContext.runAsNonRoot=false` };
  }
  const silent = containers.filter((one) => flagOf(one) === undefined);
  return violation(
    flagOf(spec) !== true && silent.length > 0,
    reason,
    () => `pod or ${namedContainers(silent)} must set securityContext.runAsNonRoot=true`,
  );
}

function rootUser({ spec, containers }: PodView): Violation | undefined {
  const isRoot = (holder: JsonObject) => securityOf(holder)["runAsUser"] === 0;
  const who = setters(isRoot(spec), containers.filter(isRoot));
  return violation(who !== "", "runAsUser=0", () => `${who} must not set runAsUser=0`);
}

function seccomp(pod: PodView): Violation | undefined {
  const wrong = seccompProfiles(pod);
  if (wrong !== undefined) {
    return wrong;
  }
  const isSilent = (holder: JsonObject) => profileType(holder, "seccompProfile") === undefined;
  const silent = isSilent(pod.spec) ? pod.containers.filter(isSilent) : [];
  return violation(
    silent.length > 0,
    "seccompProfile",
    () =>
      `pod or ${namedContainers(silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  );
}
