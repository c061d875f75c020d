import type { ResourceDescriptor } from "@typekube/api";
import {
  amount,
  type Clock,
  callback,
  type OptionTable,
  object,
  oneOf,
} from "@typekube/core/internal";
import type { AccessOptions } from "../access/create-access.js";
import type { ActorOptions } from "../controllers/controller-options.js";
import type { DefinitionOptions } from "../custom-resources/definition-options.js";
import type { PodHandlers } from "../pod-streams/pod-handlers.js";
import type { RuntimeConfig } from "../resources/resource-registry.js";
import type { WebhookClientOptions } from "../webhooks/webhook-client.js";
import type { LoadSource } from "./load.js";

/** Options of an embedded API server. */
export interface ApiServerOptions
  extends AccessOptions,
    ActorOptions,
    DefinitionOptions,
    WebhookClientOptions {
  /** The minor release to emulate, as far as releases from 1.33 on differ. Default "1.37". */
  readonly version?: string | undefined;
  /** Seed of generated names, UIDs and timeouts. Default 1. */
  readonly seed?: number | undefined;
  /** `"virtual"` advances only through `clock.advance()`. Default: real time. */
  readonly clock?: Clock | "real" | "virtual" | undefined;
  /** Number of events that each resource keeps for watches and reads of old states. Default 1000. */
  readonly historyLimit?: number | undefined;
  /**
   * Milliseconds of the server's clock after which an outdated state can no longer be read: lists at an exact
   * resourceVersion and continue tokens then get 410. `Infinity`: as long as the history holds it. Default 300,000, the
   * etcd compaction interval of a real server. Watches are limited by `historyLimit` only.
   */
  readonly historyAgeMs?: number | undefined;
  /** Number of requests that `requests` keeps; beyond it, the oldest tenth is dropped. Default 100,000. */
  readonly journalLimit?: number | undefined;
  /** Group-versions to enable or disable, in the syntax of the real server's flag: `"api/all=true"`. */
  readonly runtimeConfig?: RuntimeConfig | undefined;
  /** Feature gates to set, like the real server's flag. Omitted gates have the release's defaults, so CBOR is off. */
  readonly featureGates?: Readonly<Record<string, boolean>> | undefined;
  /** Initial objects: YAML or JSON as text, objects, or `{ path }` of a file or folder. */
  readonly load?: LoadSource | undefined;
  /** Resources to serve in addition to the built-in ones, without a schema. */
  readonly resources?: readonly ResourceDescriptor[] | undefined;
  /** Handlers for the container side of logs, exec, attach and port-forward. Default: the server responds with 501. */
  readonly pods?: PodHandlers | undefined;
}

/** Options of {@link ApiServerOptions}, with their checks. The names of controllers are checked where these are loaded. */
export const apiServerOptions: OptionTable<ApiServerOptions> = {
  // An accepted but ineffective "rbac" would allow everything, and a test of roles would pass.
  authorization: oneOf("AlwaysAllow", "RBAC"),
  callWebhook: true,
  clock: {
    mustBe: "real, virtual or a clock",
    isValid: (value) => value === "real" || value === "virtual" || isClock(value),
  },
  controllers: {
    mustBe: "true, false or an object with names of controllers",
    isValid: (value) => typeof value === "boolean" || object.isValid(value),
  },
  conversions: true,
  crds: {
    mustBe: "a list of values of defineResource(), or the path of definitions",
    isValid: (value) =>
      Array.isArray(value) || value instanceof URL || (typeof value === "string" && value !== ""),
  },
  establishDelayMs: amount,
  featureGates: true,
  historyAgeMs: amount,
  historyLimit: amount,
  journalLimit: amount,
  load: true,
  onError: callback,
  pods: true,
  resources: true,
  runtimeConfig: true,
  seed: true,
  stages: true,
  users: true,
  version: true,
  webhooks: object,
};

function isClock(value: unknown): boolean {
  const { now, schedule } = (value ?? {}) as Partial<Clock>;
  return typeof now === "function" && typeof schedule === "function";
}
