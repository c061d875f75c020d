import { Lease } from "@typekube/api/coordination/v1";
import { LeaseCandidate } from "@typekube/api/coordination/v1beta1";
import type { ClientCore } from "@typekube/client";
import { contextOf } from "@typekube/client/internal";
import { KubeError } from "@typekube/core";
import { keepCandidate } from "./candidate.js";
import type { Elector } from "./elector.js";
import { assertElectorOptions, type ElectorOptions, timingsOf } from "./elector-options.js";
import { type ElectorSettings, requestTimeoutMs } from "./elector-settings.js";
import { LeaseElector } from "./lease-elector.js";
import { newIdentity } from "./new-identity.js";
import { objectStore } from "./object-store.js";
import { warnOfErrors } from "./report-error.js";
import { serviceAccountNamespace } from "./service-account-namespace.js";

/**
 * Starts a candidate in an election on a Lease, compatible with client-go and controller-runtime. At most one candidate
 * leads at a time, as long as the clocks of the candidates run at the same rate within the factor `leaseDurationMs /
 * renewDeadlineMs`, and all requests of a leader check its fence.
 *
 * A follower watches the lease, so it takes over at once when the leader releases it, and the duration of the lease
 * after the leader crashed. Without permission to watch it polls.
 *
 * @example
 * ```ts
 * await using elector = await startElector(client, { name: "shop-operator", namespace: "shops" });
 * const { signal, fence } = await elector.acquired();
 * ```
 *
 * @throws {KubeError} `InvalidArgument` for invalid options, without a namespace outside of a pod, and for a client whose
 * writes are dry runs: every candidate would believe to lead.
 */
export async function startElector(client: ClientCore, options: ElectorOptions): Promise<Elector> {
  assertElectorOptions(options);
  const context = contextOf(client);
  if (context.defaults.dryRun !== undefined) {
    throw new KubeError(
      "InvalidArgument",
      "an elector cannot use a client whose writes are dry runs",
    );
  }
  const { name, coordinated, clock = context.clock, random = Math.random } = options;
  const namespace = options.namespace ?? (await serviceAccountNamespace());
  const settings: ElectorSettings = {
    ...timingsOf(options),
    name,
    namespace,
    identity: options.identity ?? newIdentity(),
    releaseOnStop: options.releaseOnStop ?? true,
    isCoordinated: coordinated !== undefined,
    trustRenewTime: options.trustRenewTime,
    labels: options.labels,
    onLeader: options.onLeader ?? (() => {}),
    onState: options.onState ?? (() => {}),
    onError: options.onError ?? warnOfErrors(`leader election ${namespace}/${name}`, clock),
    events: options.events,
    metrics: options.metrics,
    clock,
    random,
  };
  const { identity, onError, retryMs } = settings;
  const shared = { namespace, clock, random, onError, timeoutMs: requestTimeoutMs(settings) };
  const leases = objectStore(client, Lease, { ...shared, name });
  if (coordinated === undefined) {
    return new LeaseElector(leases, settings);
  }
  const store = objectStore(client, LeaseCandidate, { ...shared, name: identity });
  const candidate = { store, clock, identity, namespace, leaseName: name, retryMs, onError };
  return new LeaseElector(leases, settings, (signal) =>
    keepCandidate({ ...coordinated, ...candidate }, signal),
  );
}
