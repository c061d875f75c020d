import type { Pod, Service } from "@typekube/api/core/v1";
import { KubeError } from "@typekube/core";

/**
 * Returns the port of a pod that a port of a Service leads to. The port of a headless Service is the pod's. (kubectl
 * `translateServicePortToTargetPort`)
 *
 * @throws {KubeError} `InvalidArgument` for a port that the Service or the pod does not have, or that is not TCP.
 */
export function targetPort(service: Service, pod: Pod, port: number | string): number {
  const ports = service.spec?.ports ?? [];
  const name = service.metadata?.name ?? "";
  const found = ports.find((one) => (typeof port === "number" ? one.port : one.name) === port);
  if (found === undefined) {
    throw new KubeError("InvalidArgument", `the Service "${name}" has no port ${port}`, {
      hint: `it has ${ports.map((one) => [one.port, one.name].filter(Boolean).join(" ")).join(", ")}`,
    });
  }
  if ((found.protocol ?? "TCP") !== "TCP") {
    throw new KubeError("InvalidArgument", `port ${port} is ${found.protocol}, not TCP`, {
      hint: "only TCP can be forwarded",
    });
  }
  const target = found.targetPort ?? found.port;
  if (service.spec?.clusterIP === "None" && typeof target === "number") {
    return found.port;
  }
  return typeof target === "number" ? target : namedPort(pod, target);
}

function namedPort({ spec, metadata }: Pod, name: string): number {
  const ports = (spec?.containers ?? []).flatMap((container) => container.ports ?? []);
  const found = ports.find((port) => port.name === name);
  if (found === undefined) {
    throw new KubeError("InvalidArgument", `the pod ${metadata?.name} has no port named "${name}"`);
  }
  return found.containerPort;
}
