/**
 * An API server that runs inside a process, for tests.
 *
 * @module @typekube/apiserver
 */

// The server

export type { ApiServer, ApiServerOptions, CloseOptions } from "./api-server.js";
export type { EmbeddedClientOptions } from "./client.js";
export type { JournalEntry } from "./control/journal.js";
export { startApiServer } from "./start-api-server.js";

// Over the network

export type { Listener, ListenLimits, ListenOptions } from "./connections/listen.js";
export type { KubeconfigTarget } from "./connections/write-kubeconfig.js";

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

// Controllers and stages

export type { ActorOptions, ControllerOptions } from "./controllers/controller-options.js";
export type { RunPodsOptions } from "./controllers/stages/run-pods.js";
export { runPods } from "./controllers/stages/run-pods.js";
export type {
  Stage,
  StageEvent,
  StageMoment,
  StageOptions,
  StagePatch,
} from "./controllers/stages/stage.js";
export { stage } from "./controllers/stages/stage.js";

// Recordings

export type { RecordedExchange } from "./recording/exchange.js";
export type { Recorder } from "./recording/record.js";
export { recordExchanges } from "./recording/record.js";
export type { Replayer } from "./recording/replay.js";
export { readRecording, replayExchanges } from "./recording/replay.js";

// Faults, time and other controls for tests

export type { ApiServerControl, Snapshot } from "./control/api-server-control.js";
export type { DumpOptions } from "./control/dump.js";
export type { EventError, FaultRule } from "./control/fault-rule.js";
export type { Fault } from "./control/faults.js";
export type { Lag } from "./control/follower.js";
export type { Hold } from "./control/hold.js";
export type { SteadyOptions } from "./control/is-steady.js";
export type { LoadSource } from "./control/load.js";
export type { CrashOptions } from "./control/presets.js";
export { crashBetweenWrites, missedEvent, staleRead } from "./control/presets.js";
export type { Replica } from "./control/replica.js";
export type { SettledOptions } from "./control/settled.js";
export type { VirtualClock } from "./control/virtual-clock.js";
export { createVirtualClock } from "./control/virtual-clock.js";
export type { WatchDetails, WatchSelector } from "./watch/watch-hub.js";
