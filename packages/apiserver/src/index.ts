export type { EmbeddedClientOptions } from "./client.js";
export type { Fault, FaultRule } from "./faults.js";
export type { FeatureGates } from "./feature-gates.js";
export type { JournalEntry } from "./journal.js";
export type { Listener, ListenOptions } from "./listen.js";
export type { ApiServer, ApiServerOptions } from "./start-api-server.js";
export { startApiServer } from "./start-api-server.js";
export type { VirtualClock } from "./virtual-clock.js";
export { createVirtualClock } from "./virtual-clock.js";
