import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import { failure } from "../../../errors/status-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { objectsOf, specOf } from "../../../objects/parts.js";
import type { StrategyServer } from "../../../resources/kind-strategy.js";
import type { Collection } from "../../../store/collection.js";

/** Prefix of all addresses: the range is 10.0.0.0/24. */
const network = "10.0.0";
/** First address to allocate. Lower ones are reserved for explicit choice, which real servers prefer too. */
const firstAddress = 16;
const lastAddress = 254;
const firstNodePort = 30_000;
const lastNodePort = 32_767;

/** Addresses and node ports in use by Services. */
export class ServiceUse {
  readonly addresses: Set<unknown> = new Set();
  readonly ports: Set<unknown> = new Set();

  constructor(services: Collection) {
    for (const [, service] of services.entries("")) {
      const spec = specOf(service);
      this.addresses.add(spec["clusterIP"]);
      this.takePort(spec["healthCheckNodePort"]);
      for (const { nodePort } of objectsOf(spec["ports"])) {
        this.takePort(nodePort);
      }
    }
  }

  takePort(port: unknown): void {
    if (port !== undefined && port !== 0) {
      this.ports.add(port);
    }
  }
}

/**
 * Allocates a free address of the range.
 *
 * @throws {StatusError} 500 when all are in use.
 */
export function freeAddress(
  { addresses }: ServiceUse,
  { random }: Pick<StrategyServer, "random">,
): string {
  const free = firstFree(firstAddress, lastAddress, random(), (last) =>
    addresses.has(`${network}.${last}`),
  );
  if (free === undefined) {
    throw internal("failed to allocate a serviceIP: range is full");
  }
  addresses.add(`${network}.${free}`);
  return `${network}.${free}`;
}

/**
 * Allocates a free node port from 30000 to 32767.
 *
 * @throws {StatusError} 500 when all are in use.
 */
export function freeNodePort(
  { ports }: ServiceUse,
  { random }: Pick<StrategyServer, "random">,
): number {
  const free = firstFree(firstNodePort, lastNodePort, random(), (port) => ports.has(port));
  if (free === undefined) {
    throw internal("failed to allocate a nodePort: range is full");
  }
  ports.add(free);
  return free;
}

/** Appends errors for requested addresses and node ports that can't be allocated. */
export function validateAllocation(
  service: ApiObject,
  old: ApiObject | undefined,
  errors: FieldErrors,
  { store }: StrategyServer,
): void {
  const spec = specOf(service);
  const oldSpec = specOf(old ?? {});
  const { clusterIP: ip } = spec;
  const ports = objectsOf(spec["ports"]);
  const own = new Set<unknown>(objectsOf(oldSpec["ports"]).map(({ nodePort }) => nodePort)).add(0);
  const requestsIp = typeof ip === "string" && !["", "None", oldSpec["clusterIP"]].includes(ip);
  if (!requestsIp && ports.every(({ nodePort = 0 }) => own.has(nodePort))) {
    return;
  }
  const use = new ServiceUse(store.collection("services"));
  const why = requestsIp ? addressText(ip, use) : undefined;
  if (why !== undefined) {
    errors.push(cause.invalid("spec.clusterIPs", [ip], `failed to allocate IP ${ip}: ${why}`));
  }
  for (const [at, { nodePort = 0 }] of ports.entries()) {
    const problem = own.has(nodePort) ? undefined : portText(Number(nodePort), use);
    use.takePort(nodePort);
    if (problem !== undefined) {
      errors.push(cause.invalid(`spec.ports[${at}].nodePort`, nodePort, problem));
    }
  }
}

/** Returns the reason why an address can't be allocated; `undefined` when it can. */
function addressText(ip: string, { addresses }: ServiceUse): string | undefined {
  if (!ip.startsWith(`${network}.`)) {
    return `the provided IP (${ip}) is not in the valid range. The range of valid IPs is ${network}.0/24`;
  }
  return addresses.has(ip) ? "provided IP is already allocated" : undefined;
}

/** Returns the reason why a node port can't be allocated; `undefined` when it can. */
function portText(port: number, { ports }: ServiceUse): string | undefined {
  if (port < firstNodePort || port > lastNodePort) {
    return `provided port is not in the valid range. The range of valid ports is ${firstNodePort}-${lastNodePort}`;
  }
  return ports.has(port) ? "provided port is already allocated" : undefined;
}

function internal(why: string) {
  return failure(500, "InternalError", `Internal error occurred: ${why}`, {
    causes: [{ reason: "", message: why }],
  });
}

/** Returns the first free number from a random position in the range, wrapping around. */
function firstFree(
  first: number,
  last: number,
  fraction: number,
  isTaken: (value: number) => boolean,
): number | undefined {
  const size = last - first + 1;
  const start = Math.floor(fraction * size);
  for (let step = 0; step < size; step++) {
    const value = first + ((start + step) % size);
    if (!isTaken(value)) {
      return value;
    }
  }
  return undefined;
}
