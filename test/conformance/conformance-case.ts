import type { Client } from "typekube";

/** Feature that a server must have, beyond the API itself, for a case to be meaningful. */
export type Need =
  /** Group-versions that an aggregated server handles. */
  | "aggregation"
  /** CustomResourceDefinitions that take effect. */
  | "crd"
  /** Priority levels that throttle. */
  | "flow-control"
  /** Admission policies that are in force. */
  | "policies"
  /** Users with limited permissions. */
  | "users"
  /** Admission webhooks that the server calls. */
  | "webhooks";

/** Context of a case. */
export interface ConformanceContext {
  /** The server's kind, for the few responses that may differ. */
  readonly server: "embedded" | "real";
  /** Client with all permissions. It does not retry, so that a case sees each response. */
  readonly client: Client;
  /** Namespace that only this case uses. */
  readonly namespace: string;
  /** Aborts when the case exceeds its time limit. */
  readonly signal: AbortSignal;
  /** Expires all resourceVersions issued so far. */
  compact(): Promise<void>;
  /** Awaits work that takes the server seconds. Advances a virtual clock while it waits. */
  whileTimePasses<T>(work: Promise<T>): Promise<T>;
  /** Returns a client for a user without permissions, or for one that the server does not know. Needs `users`. */
  clientOf(user: "stranger" | "viewer"): Promise<Client>;
}

/** A guarantee of the API and the code that tests it. */
export interface ConformanceCase {
  /** Row of the acceptance lists, or a short name if there is no row. Unique. */
  readonly id: string;
  readonly name: string;
  readonly needs?: readonly Need[];
  run(context: ConformanceContext): Promise<void>;
}
