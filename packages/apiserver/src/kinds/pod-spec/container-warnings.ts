import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { isUnset } from "../../phases/validate/checks.js";
import { fractionWarnings } from "../volumes/volume-warnings.js";

/** A container and its path. */
export interface PlacedContainer {
  readonly container: JsonObject;
  readonly field: string;
}

/** Returns the containers of a pod in the order in which they are checked. */
export function placedContainers(spec: JsonObject, path: string): PlacedContainer[] {
  return ["initContainers", "containers"].flatMap((list) =>
    objectsOf(spec[list]).map((container, at) => ({ container, field: `${path}.${list}[${at}]` })),
  );
}

/** Returns warnings about the resources of a container. */
export function amountWarnings({ container, field }: PlacedContainer): string[] {
  const resources = mapOf(container["resources"]);
  return ["memory", "ephemeral-storage"].flatMap((resource) =>
    ["limits", "requests"].flatMap((list) =>
      fractionWarnings(resources[list], resource, `${field}.resources.${list}`),
    ),
  );
}

/** Returns warnings about a variable that is set twice, unless the second value refers to the first. */
export function hiddenVariableWarnings({ container, field }: PlacedContainer): string[] {
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
          `${field}.env[${at}]: hides previous definition of "${String(name)}", which may be dropped when using apply`,
        ];
  });
}

interface Port {
  readonly field: string;
  readonly hostIP: string;
  readonly hostPort: number;
}

/** Returns warnings about ports used more than once, within a container or across containers. */
export function portWarnings(containers: readonly PlacedContainer[]): string[] {
  const seen = new Map<string, Port[]>();
  const ports = containers.flatMap(({ container, field }) =>
    objectsOf(container["ports"]).map((port, at) => ({ port, field: `${field}.ports[${at}]` })),
  );
  return ports.flatMap(({ port, field }) => {
    const { containerPort, protocol } = port;
    const one = {
      field,
      hostIP: String(port["hostIP"] ?? ""),
      hostPort: Number(port["hostPort"] ?? 0),
    };
    const key = `${String(containerPort)}/${String(protocol)}`;
    const others = seen.get(key) ?? [];
    seen.set(key, [...others, one]);
    return [
      ...(one.hostIP !== "" && one.hostPort === 0
        ? [`${field}: hostIP set without hostPort: ${shown(port)}`]
        : []),
      ...others.flatMap((other) => meeting(one, other)),
    ];
  });
}

function meeting(one: Port, other: Port): string[] {
  const received = (what: string) => [`${one.field}: ${what} port definition with ${other.field}`];
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
