import { Lease } from "@typekube/api/coordination/v1";
import type { ClientCore } from "@typekube/client";
import { contextOf, resourceOf } from "@typekube/client/internal";
import { KubeError, type KubeErrorCode } from "@typekube/core";
import type { Clock, Random } from "@typekube/core/internal";
import { shardSelector } from "@typekube/informer";
import { requestTimeoutMs } from "../election/elector-settings.js";
import { newIdentity } from "../election/new-identity.js";
import { asElection } from "../election/object-store.js";
import { serviceAccountNamespace } from "../election/service-account-namespace.js";
import type { Log } from "../log/log.js";
import { leaseStore } from "./lease-store.js";
import { ShardKeeper } from "./shard-keeper.js";
import type { ShardWork } from "./shard-work.js";
import type { ShardsSettings } from "./shards-options.js";

/** Parts of {@link startShards}. */
export interface ShardsParts {
  readonly client: ClientCore;
  readonly settings: ShardsSettings;
  readonly work: ShardWork;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly onError: (error: KubeError) => void;
}

/**
 * Joins the replicas that share the objects.
 *
 * @throws {KubeError} `InvalidArgument` without a namespace outside of a pod, and for a client whose writes are dry runs.
 */
export async function startShards(parts: ShardsParts): Promise<ShardKeeper> {
  const { client, settings, work, clock, random, onError } = parts;
  if (contextOf(client).defaults.dryRun !== undefined) {
    throw new KubeError("InvalidArgument", "shards: a client whose writes are dry runs holds none");
  }
  const namespace = settings.namespace ?? (await serviceAccountNamespace());
  const identity = settings.identity ?? newIdentity();
  await reportFilter(parts, namespace);
  const timeoutMs = requestTimeoutMs(settings);
  const { name } = settings;
  const store = leaseStore(client, { name, namespace, clock, random, timeoutMs, onError });
  return asElection(
    () => new ShardKeeper({ ...settings, namespace, identity, store, clock, work, onError }),
  );
}

/** Codes with which servers refuse a parameter. */
const refusals: readonly KubeErrorCode[] = ["BadRequest", "InternalError", "Invalid"];

/** Logs once whether the server sends each replica only its own objects: a list tells by which selector it was made. */
async function reportFilter(
  { client, settings, log }: ShardsParts,
  namespace: string,
): Promise<void> {
  const { count, by } = settings;
  const probe = { index: 0, count: Math.max(2, count), by };
  try {
    const leases = resourceOf(contextOf(client), Lease, namespace);
    const { metadata } = await leases.list({
      limit: 1,
      shardSelector: shardSelector(probe),
      timeoutMs: requestTimeoutMs(settings),
    });
    if ((metadata as { readonly shardInfo?: unknown }).shardInfo !== undefined) {
      return;
    }
  } catch (error) {
    // An older server may refuse the parameter. Another failure says nothing about it.
    if (!(error instanceof KubeError) || !refusals.includes(error.code)) {
      return;
    }
  }
  log.info(
    "the server sends all objects to every replica, which drops those of others; Kubernetes with the feature gate ShardedListAndWatch selects them itself",
  );
}
