/** Informers of a storm: one starts with streaming lists, the other lists in pages and reads protobuf. */
export type FollowerName = "listing" | "streaming";

/** Both informers, in the order of reports. */
export const followerNames: readonly FollowerName[] = ["streaming", "listing"];

/** Faults that strike a response before or instead of its body. */
export const responseFaults = [
  "reset-before-headers",
  "reset-during-headers",
  "half-open-headers",
  "410-at-watch",
  "410-event",
  "410-at-continue",
  "429",
  "429-retry-after",
  "500",
  "503",
] as const;

/** Faults that strike the bytes of a body: of the open stream, or of the next response. */
export const bodyFaults = ["body-cut", "body-end", "half-open-body", "slow-drip"] as const;

/** Faults of a stale server, which repeats or reorders watch events. */
export const eventFaults = ["duplicate-events", "reordered-events"] as const;

/** Faults that strike all informers. */
export const disasters = ["compaction", "crash", "clock-jump", "certificate-swap"] as const;

/** Kinds of {@link responseFaults}. */
export type ResponseFaultKind = (typeof responseFaults)[number];
/** Kinds of {@link bodyFaults}. */
export type BodyFaultKind = (typeof bodyFaults)[number];
/** Kinds of {@link eventFaults}. */
export type EventFaultKind = (typeof eventFaults)[number];
/** All kinds that a plan may draw. */
export type FaultKind =
  | ResponseFaultKind
  | BodyFaultKind
  | EventFaultKind
  | (typeof disasters)[number];

/** A fault of one connection. Plans never draw `dropped-event`, because no client could notice it. */
export interface Fault {
  readonly kind: ResponseFaultKind | BodyFaultKind | EventFaultKind | "dropped-event";
  /** Number of body bytes before it strikes, or the size of the pieces of a slow drip. */
  readonly bytes: number;
}

/** Returns true for a fault that strikes a response before or instead of its body. */
export function isResponseFault({ kind }: Fault): boolean {
  return (responseFaults as readonly string[]).includes(kind);
}

/** Returns true for a fault that strikes the bytes of a body. */
export function isBodyFault({ kind }: Fault): boolean {
  return (bodyFaults as readonly string[]).includes(kind);
}

/** A fault of watch events. */
export interface EventFault extends Fault {
  readonly kind: EventFaultKind | "dropped-event";
}

/** Returns true for a fault of watch events. */
export function isEventFault({ kind }: Fault): boolean {
  return kind === "dropped-event" || (eventFaults as readonly string[]).includes(kind);
}

/** Injects faults into the connections of one informer, in process or on sockets. */
export interface Weather {
  /** Adds a fault, which strikes at the next opportunity. */
  add(fault: Fault): void;
  /** Number of faults that have not struck yet. */
  readonly pending: number;
  /**
   * Creates opportunities: ends the open stream, so that requests follow, and expires the next watch if a fault needs a
   * list.
   */
  provoke(): void;
  /** Removes pending faults. Half-open bodies stay half-open. */
  clear(): void;
}
