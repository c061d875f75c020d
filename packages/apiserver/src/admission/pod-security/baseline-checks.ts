import type { JsonObject } from "../../objects/json-value.js";
import { stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import {
  hasUserNamespace,
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
import { profileChecks } from "./profile-checks.js";
import { sysctlVersions } from "./sysctls.js";

const allowedCapabilities = new Set([
  "AUDIT_WRITE",
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "MKNOD",
  "NET_BIND_SERVICE",
  "SETFCAP",
  "SETGID",
  "SETPCAP",
  "SETUID",
  "SYS_CHROOT",
]);

const seLinuxTypes = ["", "container_t", "container_init_t", "container_kvm_t"];

/** Checks of the level `baseline`; `restricted` includes them. (pod-security-admission `policy/check_*.go`) */
export const baselineChecks: readonly PodCheck[] = [
  ...profileChecks,
  always("capabilities_baseline", ({ containers }) => {
    const forbidden = (container: JsonObject) =>
      stringsOf(mapOf(securityOf(container)["capabilities"])["add"]).filter(
        (name) => !allowedCapabilities.has(name),
      );
    const bad = containers.filter((one) => forbidden(one).length > 0);
    return violation(bad.length > 0, "non-default capabilities", () => {
      const names = quoted(sorted(bad.flatMap(forbidden)));
      return `${namedContainers(bad)} must not include ${names} in securityContext.capabilities.add`;
    });
  }),
  always("hostNamespaces", ({ spec }) => {
    const shared = ["hostNetwork", "hostPID", "hostIPC"].filter((field) => spec[field] === true);
    return violation(shared.length > 0, "host namespaces", () =>
      shared.map((field) => `${field}=true`).join(", "),
    );
  }),
  always("hostPathVolumes", ({ spec }) => {
    const volumes = objectsOf(spec["volumes"]).filter(({ hostPath }) => isSet(hostPath));
    return violation(
      volumes.length > 0,
      "hostPath volumes",
      () => `${plural("volume", volumes.length)} ${quoted(volumes.map(nameOf))}`,
    );
  }),
  always("hostPorts", ({ containers }) => {
    const hostPorts = (container: JsonObject) =>
      objectsOf(container["ports"]).flatMap(({ hostPort = 0 }) =>
        hostPort === 0 || hostPort === null ? [] : [String(hostPort)],
      );
    const bad = containers.filter((one) => hostPorts(one).length > 0);
    return violation(bad.length > 0, "hostPort", () => {
      const ports = sorted(bad.flatMap(hostPorts));
      return `${namedContainers(bad)} ${uses(bad.length)} ${plural("hostPort", ports.length)} ${ports.join(", ")}`;
    });
  }),
  {
    id: "hostProbesAndHostLifecycle",
    level: "baseline",
    versions: [{ since: 34, check: hostHandlers }],
  },
  always("privileged", ({ containers }) => {
    const bad = containers.filter((one) => securityOf(one)["privileged"] === true);
    return violation(
      bad.length > 0,
      "privileged",
      () => `${namedContainers(bad)} must not set securityContext.privileged=true`,
    );
  }),
  {
    id: "procMount",
    level: "baseline",
    versions: [
      { since: 0, check: procMounts },
      { since: 35, check: (pod) => (hasUserNamespace(pod) ? undefined : procMounts(pod)) },
    ],
  },
  {
    id: "seLinuxOptions",
    level: "baseline",
    versions: [
      { since: 0, check: (pod) => seLinuxOptions(pod, seLinuxTypes) },
      { since: 31, check: (pod) => seLinuxOptions(pod, [...seLinuxTypes, "container_engine_t"]) },
    ],
  },
  { id: "sysctls", level: "baseline", versions: sysctlVersions },
  always("windowsHostProcess", ({ spec, containers }) => {
    const isBad = (holder: JsonObject) =>
      mapOf(securityOf(holder)["windowsOptions"])["hostProcess"] === true;
    const bad = containers.filter(isBad);
    return violation(
      isBad(spec) || bad.length > 0,
      "hostProcess",
      () =>
        `${setters(isBad(spec), bad)} must not set securityContext.windowsOptions.hostProcess=true`,
    );
  }),
];

function always(id: string, check: (pod: PodView) => Violation | undefined): PodCheck {
  return { id, level: "baseline", versions: [{ since: 0, check }] };
}

/** Finds `procMount` values other than the default. Does not exempt pods in user namespaces. */
export function procMounts({ containers }: PodView): Violation | undefined {
  const mountOf = (container: JsonObject) => securityOf(container)["procMount"];
  const bad = containers.filter((one) => isSet(mountOf(one)) && mountOf(one) !== "Default");
  return violation(bad.length > 0, "procMount", () => {
    const values = quoted(sorted(bad.map((one) => String(mountOf(one)))));
    return `${namedContainers(bad)} must not set securityContext.procMount to ${values}`;
  });
}

/** Returns a violation when the condition holds. */
export function violation(
  isViolated: boolean,
  reason: string,
  detail: () => string,
): Violation | undefined {
  return isViolated ? { reason, detail: detail() } : undefined;
}

/** Returns "uses" or "use", agreeing with a number of containers or volumes. */
export function uses(count: number): string {
  return count === 1 ? "uses" : "use";
}

function hostHandlers({ containers }: PodView): Violation | undefined {
  const hostsOf = (container: JsonObject) => {
    const lifecycle = mapOf(container["lifecycle"]);
    const handlers = [
      ...["livenessProbe", "readinessProbe", "startupProbe"].map((probe) => container[probe]),
      lifecycle["postStart"],
      lifecycle["preStop"],
    ];
    return handlers
      .flatMap((handler) => [mapOf(handler)["httpGet"], mapOf(handler)["tcpSocket"]])
      .map((target) => String(mapOf(target)["host"] ?? ""))
      .filter((host) => host !== "");
  };
  const bad = containers.filter((one) => hostsOf(one).length > 0);
  return violation(bad.length > 0, "probe or lifecycle host", () => {
    const hosts = sorted(bad.flatMap(hostsOf));
    const names = sorted(bad.map(nameOf)).map((name) => ({ name }));
    return `${namedContainers(names)} ${uses(names.length)} ${plural("probe or lifecycle host", hosts.length)} ${quoted(hosts)}`;
  });
}

function seLinuxOptions(
  { spec, containers }: PodView,
  types: readonly string[],
): Violation | undefined {
  const optionsOf = (holder: JsonObject) => {
    const { type, user, role } = mapOf(securityOf(holder)["seLinuxOptions"]);
    return { type: String(type ?? ""), user: String(user ?? ""), role: String(role ?? "") };
  };
  const isBad = (holder: JsonObject) => {
    const { type, user, role } = optionsOf(holder);
    return !types.includes(type) || user !== "" || role !== "";
  };
  const bad = containers.filter(isBad);
  return violation(isBad(spec) || bad.length > 0, "seLinuxOptions", () => {
    const all = [spec, ...containers].map(optionsOf);
    const badTypes = sorted(all.map(({ type }) => type).filter((type) => !types.includes(type)));
    const why = [
      ...(badTypes.length > 0 ? [`${plural("type", badTypes.length)} ${quoted(badTypes)}`] : []),
      ...(all.some(({ user }) => user !== "") ? ["user may not be set"] : []),
      ...(all.some(({ role }) => role !== "") ? ["role may not be set"] : []),
    ];
    return `${setters(isBad(spec), bad)} set forbidden securityContext.seLinuxOptions: ${why.join("; ")}`;
  });
}

function nameOf({ name }: JsonObject): string {
  return String(name ?? "");
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
