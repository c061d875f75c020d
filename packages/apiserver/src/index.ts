/**
 * An API server that runs inside a process, for tests.
 *
 * @module @typekube/apiserver
 */

// The server

export type { ApiServer, CloseOptions } from "./api-server/api-server.js";
export type { EmbeddedClientOptions } from "./api-server/client.js";
export { startApiServer } from "./api-server/start-api-server.js";
export type { JournalEntry } from "./journal/journal.js";
export type { ApiServerOptions } from "./server/api-server-options.js";

// Over the network

export type { ListenLimits, ListenOptions } from "./listener/listen-options.js";
export type { Listener } from "./listener/listener.js";
export type { KubeconfigTarget } from "./listener/write-kubeconfig.js";

// Users and containers

export type { AccessOptions } from "./access/create-access.js";
export type { UserOptions } from "./access/user-book.js";
export type { MemoryLimits } from "./pod-streams/memory-containers/files/memory-limits.js";
export type { MemoryContainersOptions } from "./pod-streams/memory-containers/memory-containers.js";
export { memoryContainers } from "./pod-streams/memory-containers/memory-containers.js";
export type {
  NodePort,
  PodHandlers,
  PodLogLine,
  PodLogRequest,
  PodPort,
  PodSession,
  PodTarget,
  TerminalSize,
} from "./pod-streams/pod-handlers.js";

// Custom resources

export type { DefinitionOptions } from "./custom-resources/definition-options.js";
export type { DefinitionSource } from "./custom-resources/definition-sources.js";
export type { ConversionFunction } from "./resources/converter.js";

// Webhooks

export type { CallWebhook, WebhookCall } from "./webhooks/call-by-https.js";
export type {
  FetchWebhook,
  Review,
  ReviewedType,
  ReviewFunction,
  ReviewRequest,
  ServiceCall,
  ServiceWebhook,
  ServiceWebhooks,
} from "./webhooks/service-webhook.js";
export type { WebhookClientOptions } from "./webhooks/webhook-client.js";

// Recordings

export type { Recorder } from "./recording/record.js";
export { recordExchanges } from "./recording/record.js";
export type { RecordedExchange } from "./recording/recorded-exchange.js";
export type { Replayer } from "./recording/replay.js";
export { readRecording, replayExchanges } from "./recording/replay.js";

// Faults, time and other controls for tests

export type { ApiServerControl, Snapshot } from "./api-server/api-server-control.js";
export type { Replica } from "./api-server/replica.js";
export type { EventError, FaultRule } from "./faults/fault-rule.js";
export type { Fault } from "./faults/faults.js";
export type { Hold } from "./faults/hold.js";
export type { CrashOptions } from "./faults/presets.js";
export { crashBetweenWrites, missedEvent, staleRead } from "./faults/presets.js";
export type { DumpOptions } from "./server/dump.js";
export type { LoadSource } from "./server/load.js";
export type { Lag } from "./server/replicas/follower.js";
export type { WatchDetails, WatchSelector } from "./store/watch-hub.js";
export type { SteadyOptions } from "./time/is-steady.js";
export type { SettledOptions } from "./time/settled.js";
export type { VirtualClock } from "./time/virtual-clock.js";
export { createVirtualClock } from "./time/virtual-clock.js";
