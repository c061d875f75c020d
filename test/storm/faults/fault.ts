/** The informers of a storm: one begins with streaming lists, the other lists in pages and reads protobuf. */
export type FollowerName = "listing" | "streaming";

/** Both of them, in the order of reports. */
export const followerNames: readonly FollowerName[] = ["streaming", "listing"];

/** What strikes one answer before or instead of its body. */
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

/** What strikes the bytes of a body: of the stream that is open, or of the next answer. */
export const bodyFaults = ["body-cut", "body-end", "half-open-body", "slow-drip"] as const;

/** What a stale server does to the events of a watch: tells again what it told, or tells in the wrong order. */
export const eventFaults = ["duplicate-events", "reordered-events"] as const;

/** What strikes everybody. */
export const disasters = ["compaction", "crash", "clock-jump", "certificate-swap"] as const;

/** Kinds of {@link responseFaults}. */
export type ResponseFaultKind = (typeof responseFaults)[number];
/** Kinds of {@link bodyFaults}. */
export type BodyFaultKind = (typeof bodyFaults)[number];
/** Kinds of {@link eventFaults}. */
export type EventFaultKind = (typeof eventFaults)[number];
/** Everything that a plan may draw. */
export type FaultKind =
  | ResponseFaultKind
  | BodyFaultKind
  | EventFaultKind
  | (typeof disasters)[number];

/** A fault of one connection. `dropped-event` is no weather but a lie that nobody can notice: plans never draw it. */
export interface Fault {
  readonly kind: ResponseFaultKind | BodyFaultKind | EventFaultKind | "dropped-event";
  /** After how many bytes of a body it strikes, or in pieces of how many it drips. */
  readonly bytes: number;
}

/** Whether it strikes an answer before or instead of its body. */
export function isResponseFault({ kind }: Fault): boolean {
  return (responseFaults as readonly string[]).includes(kind);
}

/** Whether it strikes the bytes of a body. */
export function isBodyFault({ kind }: Fault): boolean {
  return (bodyFaults as readonly string[]).includes(kind);
}

/** A fault of the events of a watch. */
export interface EventFault extends Fault {
  readonly kind: EventFaultKind | "dropped-event";
}

/** Whether it strikes the events of a watch. */
export function isEventFault({ kind }: Fault): boolean {
  return kind === "dropped-event" || (eventFaults as readonly string[]).includes(kind);
}

/** What strikes the connections of one informer, whatever they are made of. */
export interface Weather {
  /** Lets a fault strike as soon as there is something that it fits. */
  add(fault: Fault): void;
  /** Faults that have not struck yet. */
  readonly pending: number;
  /** Makes occasions: ends the open stream, so that requests follow, and expires the next watch if only that helps. */
  provoke(): void;
  /** What is pending strikes no more. Bodies that are half open stay so. */
  clear(): void;
}
