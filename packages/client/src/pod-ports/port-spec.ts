import type { ContainerPort, Pod } from "@typekube/api/core/v1";
import { KubeError } from "@typekube/core";

/** Ports of a port-forward. */
export interface PortSpec {
  /** Local port by default; 0 for a free one. */
  readonly local: number;
  /** Port of the pod: its number or its name. */
  readonly remote: number | string;
}

/**
 * Parses ports in kubectl's forms: `80` (number: any free local port), `"80"` (the same on both sides), `"8080:80"`,
 * `":80"` (any free local port). A name may stand for the port of the pod.
 *
 * @throws {KubeError} `InvalidArgument`.
 */
export function parsePortSpec(spec: number | string): PortSpec {
  if (typeof spec === "number") {
    return { local: 0, remote: portNumber(spec) };
  }
  const [, local, remote = ""] = /^(?:(\d*):)?([a-z0-9-]+)$/.exec(String(spec)) ?? [];
  if (remote === "") {
    throw invalidPort(spec);
  }
  const isNumber = /^\d+$/.test(remote);
  const port = isNumber ? portNumber(Number(remote)) : remote;
  if (local === undefined) {
    return { local: typeof port === "number" ? port : 0, remote: port };
  }
  return { local: local === "" || local === "0" ? 0 : portNumber(Number(local)), remote: port };
}

/**
 * Returns the number of a pod's port.
 *
 * @throws {KubeError} `InvalidArgument` for a name that the pod does not have, or a port that is not TCP.
 */
export function portOfPod({ spec }: Pod, remote: number | string): number {
  const ports = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].flatMap(
    (container): readonly ContainerPort[] => container.ports ?? [],
  );
  const matching = ports.filter(({ name, containerPort }) =>
    typeof remote === "number" ? containerPort === remote : name === remote,
  );
  const [port] = [...matching.filter(isTcp), ...matching];
  if (port === undefined) {
    if (typeof remote === "number") {
      // A pod may listen on ports that it does not declare.
      return remote;
    }
    const names = ports.flatMap(({ name }) => name ?? []);
    throw new KubeError("InvalidArgument", `the pod has no port named "${remote}"`, {
      hint: names.length > 0 ? `it has ${names.join(", ")}` : "its ports have no names",
    });
  }
  if (!isTcp(port)) {
    throw new KubeError("InvalidArgument", `port ${remote} is ${port.protocol}, not TCP`, {
      hint: "only TCP can be forwarded",
    });
  }
  return port.containerPort;
}

function isTcp({ protocol = "TCP" }: ContainerPort): boolean {
  return protocol === "TCP";
}

function portNumber(port: number): number {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw invalidPort(port);
  }
  return port;
}

function invalidPort(given: number | string): KubeError {
  return new KubeError("InvalidArgument", `${JSON.stringify(given)} is not a port`, {
    hint: 'such as 80, "8080:80", ":80" or a name like "http"; numbers are 1 to 65535',
  });
}
