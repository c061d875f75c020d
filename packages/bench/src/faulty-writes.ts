import type { Measurement } from "./measurement.js";

/** What happens to every connection between a client and its server, from the client's first watch on. */
export interface Faults {
  /** Milliseconds after which all connections are cut, again and again. */
  readonly cutEveryMs: number;
  /** Milliseconds for which the server is down, once, two seconds after the first connection. Default: never. */
  readonly outageMs?: number | undefined;
  /** Milliseconds after which writes count. */
  readonly warmUpMs: number;
}

/** Milliseconds between two writes. */
export const writeEveryMs = 50;

/** Where the object is that is written again and again. */
export const faultyNamespace = "default";

/** Milliseconds since the epoch when an object was written, by its own data. */
export function writtenAtMs(data: Readonly<Record<string, string>>): number {
  return Number(data["writtenAtMs"]);
}

/** Whether the write counts: those before are of a client that is still starting, or of an outage. */
export function isMeasured(data: Readonly<Record<string, string>>): boolean {
  return data["isMeasured"] === "true";
}

/** The lags of a run as a measurement has them. */
export function lagsOf(lagsMs: readonly number[]): Pick<Measurement, "lagP50Ms" | "lagP99Ms"> {
  const sorted = [...lagsMs].sort((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { lagP50Ms: at(0.5), lagP99Ms: at(0.99) };
}
