/** Faults of the connections between a client and its server, counted from the client's first connection. */
export interface Faults {
  /** Milliseconds between two cuts of all connections. */
  readonly cutEveryMs: number;
  /** Milliseconds of a single outage, two seconds after the first connection. Default: no outage. */
  readonly outageMs?: number | undefined;
  /** Milliseconds after which writes count. */
  readonly warmUpMs: number;
}

/** Milliseconds between two writes. */
export const writeEveryMs = 50;

/** Namespace of the object that is written repeatedly. */
export const faultyNamespace = "default";

/** Returns the time of an object's write, in milliseconds since the epoch, from its data. */
export function writtenAtMs(data: Readonly<Record<string, string>>): number {
  return Number(data["writtenAtMs"]);
}

/** Returns true when the write counts; earlier writes fall into the client's start or an outage. */
export function isMeasured(data: Readonly<Record<string, string>>): boolean {
  return data["isMeasured"] === "true";
}
