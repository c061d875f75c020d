// The server

export type { EmbeddedClientOptions } from "./client.js";
export type { FeatureGates } from "./feature-gates.js";
export type { JournalEntry } from "./journal.js";
export type { ApiServer, ApiServerOptions } from "./start-api-server.js";
export { startApiServer } from "./start-api-server.js";

// Over the network

export type { KubeconfigTarget } from "./connections/write-kubeconfig.js";
export type { Listener, ListenLimits, ListenOptions } from "./listen.js";

// Users and containers

export type { AccessOptions } from "./access/access.js";
export type { UserOptions } from "./access/user-book.js";
export type {
  PodHandlers,
  PodLogLine,
  PodLogRequest,
  PodPort,
  PodSession,
  PodTarget,
  TerminalSize,
} from "./connections/pod-handlers.js";

// Custom resources

export type { CallWebhook, WebhookCall } from "./custom-resources/conversion-webhook.js";
export type { ConversionFunction } from "./custom-resources/converter.js";
export type { DefinitionOptions } from "./custom-resources/follow-definitions.js";

// What goes wrong, and time

export type { Fault, FaultRule } from "./faults.js";
export type { VirtualClock } from "./virtual-clock.js";
export { createVirtualClock } from "./virtual-clock.js";
