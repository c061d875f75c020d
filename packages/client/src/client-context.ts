import type { Clock, HttpSend } from "@typekube/core";
import type { Discovery } from "./discovery/discovery.js";
import type { NegotiationMemory } from "./negotiation.js";
import type { ClientDefaults } from "./options.js";

/** What all clients of one connection share. */
export interface ClientContext {
  readonly send: HttpSend;
  /** Where requests go, for messages. */
  readonly server: string;
  /** The namespace of the current context. */
  readonly namespace: string;
  readonly defaults: ClientDefaults;
  readonly memory: NegotiationMemory;
  readonly discovery: Discovery;
  readonly clock: Clock;
}
