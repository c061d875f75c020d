import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { isUnset } from "../../phases/validate/checks.js";
import { fractionWarnings } from "../volumes/volume-warnings.js";
import type { PlacedContainer } from "./placed-containers.js";

/** Returns warnings about the resources of a container. */
export function amountWarnings({ container, path }: PlacedContainer): string[] {
  const resources = mapOf(container["resources"]);
  return ["memory", "ephemeral-storage"].flatMap((resource) =>
    ["limits", "requests"].flatMap((list) =>
      fractionWarnings(resources[list], resource, `${path}.resources.${list}`),
    ),
  );
}

/** Returns warnings about a variable that is set twice, unless the second value refers to the first. */
export function hiddenVariableWarnings({ container, path }: PlacedContainer): string[] {
  const seen = new Set<unknown>();
  return objectsOf(container["env"]).flatMap(({ name, value, valueFrom }, at) => {
    const isFirst = !seen.has(name);
    seen.add(name);
    const reference = `$(${String(name)})`;
    const text = String(value ?? "");
    const isMade = !isJsonObject(valueFrom) && text !== reference && text.includes(reference);
    return isFirst || isMade
      ? []
      : [
          `${path}.env[${at}]: hides previous definition of "${String(name)}", which may be dropped when using apply`,
        ];
  });
}

interface Port {
  readonly path: string;
  readonly hostIP: string;
  readonly hostPort: number;
}

/** Returns warnings about ports used more than once, within a container or across containers. */
export function portWarnings(containers: readonly PlacedContainer[]): string[] {
  const seen = new Map<string, Port[]>();
  const ports = containers.flatMap(({ container, path }) =>
    objectsOf(container["ports"]).map((port, at) => ({ port, path: `${path}.ports[${at}]` })),
  );
  return ports.flatMap(({ port, path }) => {
    const { containerPort, protocol } = port;
    const one = {
      path,
      hostIP: String(port["hostIP"] ?? ""),
      hostPort: Number(port["hostPort"] ?? 0),
    };
    const key = `${String(containerPort)}/${String(protocol)}`;
    const others = seen.get(key) ?? [];
    seen.set(key, [...others, one]);
    return [
      ...(one.hostIP !== "" && one.hostPort === 0
        ? [`${path}: hostIP set without hostPort: ${shown(port)}`]
        : []),
      ...others.flatMap((other) => meeting(one, other)),
    ];
  });
}

function meeting(one: Port, other: Port): string[] {
  const received = (what: string) => [`${one.path}: ${what} port definition with ${other.path}`];
  if (one.hostIP === other.hostIP && one.hostPort === other.hostPort) {
    return received("duplicate");
  }
  if (one.hostPort === 0 || other.hostPort === 0) {
    return received("overlapping");
  }
  return one.hostPort === other.hostPort && (one.hostIP === "") !== (other.hostIP === "")
    ? received("dangerously ambiguous")
    : [];
}

/** Formats a port like Go. */
function shown({ name, hostPort, containerPort, protocol, hostIP }: JsonObject): string {
  const text = (value: unknown) => (isUnset(value) ? "" : String(value));
  return `{Name:${text(name)} HostPort:${Number(hostPort ?? 0)} ContainerPort:${Number(containerPort ?? 0)} Protocol:${text(protocol)} HostIP:${text(hostIP)}}`;
}
