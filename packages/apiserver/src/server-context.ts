import type { Clock, Random } from "@typekube/core";
import type { Access } from "./access/access.js";
import type { FeatureGates } from "./feature-gates.js";
import type { ResourceRegistry } from "./resource-registry.js";
import type { SchemaSource } from "./schema/schema-source.js";
import type { TypedFormSource } from "./schema/typed-form.js";
import type { Store } from "./store.js";
import type { WatchHub } from "./watch-hub.js";

/** What every request of one server shares. */
export interface ServerContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Store;
  readonly registry: ResourceRegistry;
  readonly schemas: SchemaSource;
  readonly forms: TypedFormSource;
  readonly watches: WatchHub;
  readonly gates: FeatureGates;
  /** Definitions whose rules in CEL cannot be kept are refused. */
  readonly enforceCel: boolean;
  /** Users and rights. */
  readonly access: Access;
  /** The minor version that the server claims to be, "1.37". */
  readonly version: string;
  /** Aborted when the server closes. */
  readonly closing: AbortSignal;
}

/** The time as the API writes it. */
export function timestamp(clock: Clock): string {
  return new Date(clock.now()).toISOString().replace(/\.\d+Z$/, "Z");
}
