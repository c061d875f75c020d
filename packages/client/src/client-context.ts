import type { Discovery } from "./discovery/discovery.js";
import type { Exchanging } from "./exchanging.js";
import type { NegotiationMemory } from "./negotiation.js";
import type { ServerRelease } from "./server-release.js";

/** What all clients of one connection share. */
export interface ClientContext extends Exchanging {
  /** Where requests go, for messages. */
  readonly server: string;
  /** The namespace of the current context. */
  readonly namespace: string;
  readonly memory: NegotiationMemory;
  readonly discovery: Discovery;
  readonly release: ServerRelease;
  /** Aborted when one of them is closed: nothing more can be asked. */
  readonly lifetime: AbortController;
}
