import type { Client } from "typekube";

/** What a server must have besides the API itself for a case to mean anything there. */
export type Need =
  /** Group-versions that another server answers for. */
  | "aggregation"
  /** CustomResourceDefinitions that are acted upon. */
  | "crd"
  /** Priority levels that throttle. */
  | "flow-control"
  /** Users that may not do everything. */
  | "users"
  /** Admission webhooks that are called. */
  | "webhooks";

/** What a case works with. */
export interface ConformanceContext {
  /** Which server this is, for the few answers that may differ. */
  readonly server: "embedded" | "real";
  /** A client that may do everything. It repeats no request, so that a case sees each answer. */
  readonly client: Client;
  /** A namespace that nobody else uses. */
  readonly namespace: string;
  /** Ends when the case has taken too long. */
  readonly signal: AbortSignal;
  /** Makes every version until now too old. */
  compact(): Promise<void>;
  /** Awaits something that takes the server seconds. Where time is virtual, it passes meanwhile. */
  whileTimePasses<T>(work: Promise<T>): Promise<T>;
  /** A client for a user who may do nothing, or for one whom the server does not know. Needs `users`. */
  clientOf(user: "stranger" | "viewer"): Promise<Client>;
}

/** One promise of the API and how it shows. */
export interface ConformanceCase {
  /** The row of the acceptance lists, or a short name where there is none. Unique. */
  readonly id: string;
  readonly name: string;
  readonly needs?: readonly Need[];
  run(context: ConformanceContext): Promise<void>;
}
