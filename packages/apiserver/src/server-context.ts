import type { Clock, Random } from "@typekube/core/internal";
import type { Access } from "./access/access.js";
import type { Faults } from "./control/faults.js";
import type { Work } from "./control/work.js";
import type { HistoryAge } from "./read/history-age.js";
import type { FeatureGates } from "./resources/feature-gates.js";
import type { ResourceRegistry } from "./resources/resource-registry.js";
import type { SchemaSource } from "./schema/schema-source.js";
import type { TypedFormSource } from "./schema/typed-form.js";
import type { Store } from "./store/store.js";
import type { WatchHub } from "./watch/watch-hub.js";

/** What every request of one server shares. */
export interface ServerContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Store;
  /** The store that {@link store} follows; absent for the server that has its own. */
  readonly leader?: Store | undefined;
  /** Which versions are too old to be read. */
  readonly history: HistoryAge;
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
  /** What is going on now: requests, and what controllers do. */
  readonly work: Work;
  readonly faults: Faults;
  /** Whether the server is being shut down: it answers still, and says that it is not ready. */
  isDraining: boolean;
  /** Who empties a namespace that is deleted. */
  readonly namespaceKeeper: "controller" | "delete" | "nobody";
  /** Aborted when the server closes. */
  readonly closing: AbortSignal;
}

/** The second that was written last: many objects are made in the same one. */
let written = { second: Number.NaN, text: "" };

/** The time as the API writes it. */
export function timestamp(clock: Clock): string {
  const second = Math.floor(clock.now() / 1_000);
  if (second !== written.second) {
    const text = new Date(second * 1_000).toISOString().replace(/\.\d+Z$/, "Z");
    written = { second, text };
  }
  return written.text;
}
