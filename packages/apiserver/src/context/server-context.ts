import type { Clock, Random } from "@typekube/core/internal";
import type { Access } from "../access/create-access.js";
import type { Faults } from "../faults/faults.js";
import type { FeatureGates } from "../resources/feature-gates.js";
import type { ResourceRegistry } from "../resources/resource-registry.js";
import type { SchemaSource } from "../resources/schema-source.js";
import type { TypedFormSource } from "../resources/typed-form.js";
import type { HistoryAge } from "../store/history-age.js";
import type { Store } from "../store/store.js";
import type { WatchHub } from "../store/watch-hub.js";
import type { Work } from "../time/work.js";
import type { WebhookClient } from "../webhooks/webhook-client.js";

/** State shared by all requests of one server. */
export interface ServerContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Store;
  /** The leader that {@link store} follows; absent when the server has a store of its own. */
  readonly leader?: Store | undefined;
  /** Tracks which resourceVersions are too old to be read. */
  readonly history: HistoryAge;
  readonly registry: ResourceRegistry;
  readonly schemas: SchemaSource;
  readonly forms: TypedFormSource;
  readonly watches: WatchHub;
  readonly gates: FeatureGates;
  /** Users, tokens and authorization. */
  readonly access: Access;
  /** Minor version that the server reports, such as "1.37". */
  readonly version: string;
  /** Requests and controller work in progress. */
  readonly work: Work;
  readonly faults: Faults;
  /** Calls webhooks for admission and conversion. */
  readonly webhooks: WebhookClient;
  /** `true` during shutdown, when the server still serves requests but reports that it is not ready. */
  isDraining: boolean;
  /** Actor that empties deleted namespaces. */
  readonly namespaceKeeper: "controller" | "delete" | "nobody";
  /** Aborted when the server closes. */
  readonly closing: AbortSignal;
}
