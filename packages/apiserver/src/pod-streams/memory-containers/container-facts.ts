import type { ApiObject } from "../../objects/api-object.js";
import { getPath, type JsonObject } from "../../objects/json-value.js";
import { objectsOf } from "../../objects/parts.js";

/** Facts of a pod that a container in memory needs. */
export interface ContainerFacts {
  readonly namespace: string;
  /** Name of the pod. */
  readonly pod: string;
  readonly name: string;
  readonly image: string;
  /** Command and arguments; empty when the image decides. */
  readonly command: readonly string[];
  /** `true` when the main process has an input. */
  readonly hasStdin: boolean;
  readonly hostName: string;
  readonly workingDirectory: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Reads the facts about a container. */
export function containerFacts(pod: ApiObject, name: string): ContainerFacts {
  const container = containersOf(pod).find((one) => one["name"] === name) ?? {};
  const { namespace = "", name: podName = "" } = pod.metadata;
  const hostName = textOf(getPath(pod, "spec", "hostname")) ?? podName;
  return {
    namespace,
    pod: podName,
    name,
    image: textOf(container["image"]) ?? "",
    command: [...textsOf(container["command"]), ...textsOf(container["args"])],
    hasStdin: container["stdin"] === true,
    hostName,
    workingDirectory: textOf(container["workingDir"]) ?? "/",
    environment: {
      PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      HOSTNAME: hostName,
      HOME: "/root",
      ...variablesOf(container),
    },
  };
}

/** Returns the container of a port: the one that lists it, else the first. */
export function containerOfPort(pod: ApiObject, port: number): string {
  const containers = containersOf(pod);
  const found = containers.find(({ ports }) => objectsOf(ports).some((one) => lists(one, port)));
  return textOf((found ?? containers[0])?.["name"]) ?? "";
}

function lists({ containerPort }: JsonObject, port: number): boolean {
  return containerPort === port;
}

function containersOf(pod: ApiObject): JsonObject[] {
  return ["containers", "initContainers", "ephemeralContainers"].flatMap((list) =>
    objectsOf(getPath(pod, "spec", list)),
  );
}

/** Returns the variables whose values the pod itself states. */
function variablesOf({ env }: JsonObject): Record<string, string> {
  const stated = objectsOf(env).filter(({ valueFrom }) => valueFrom === undefined);
  return Object.fromEntries(
    stated.map(({ name, value }) => [textOf(name) ?? "", textOf(value) ?? ""]),
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
