import type { ServerContext } from "../context/server-context.js";
import type { CommitListener } from "../store/store.js";
import { type ActorOptions, type ControllerOptions, chosen } from "./controller-options.js";
import { createCronJobController } from "./cron-jobs/cron-jobs.js";
import { createDaemonSetController } from "./daemon-sets/daemon-sets.js";
import { createDeploymentController } from "./deployments/deployments.js";
import { createDisruptionController } from "./disruption-budgets/disruption-budgets.js";
import { createEndpointSliceController } from "./endpoint-slices/endpoint-slices.js";
import { createEventExpiry } from "./event-expiry.js";
import { createGarbageCollector } from "./garbage-collector/garbage-collector.js";
import { createJobController } from "./jobs/jobs.js";
import { createOrphanPodController } from "./jobs/orphan-pods.js";
import { createNamespaceController } from "./namespaces/namespaces.js";
import {
  createReplicaSetController,
  createReplicationController,
} from "./replica-sets/replica-sets.js";
import { createQuotaController } from "./resource-quotas/resource-quotas.js";
import { createRoleAggregation } from "./role-aggregation.js";
import type { Controller } from "./runtime/controller.js";
import type { ControllerParts } from "./runtime/controller-parts.js";
import { createEventRecorder } from "./runtime/event-recorder.js";
import {
  controllerManager,
  createObjectWriter,
  type ObjectWriter,
} from "./runtime/object-writer.js";
import { OwnerIndex } from "./runtime/owner-index.js";
import { reportError } from "./runtime/report-error.js";
import { createWorkQueue } from "./runtime/work-queue.js";
import { createServiceAccountController } from "./service-accounts.js";
import { registerNodes } from "./stages/register-nodes.js";
import { createStageController, stagesByStorage } from "./stages/run-stages.js";
import { createStatefulSetController } from "./stateful-sets/stateful-sets.js";
import { createStorageProtection } from "./storage-protection/storage-protection.js";

/** The running controllers of a server. */
export interface RunningControllers {
  /** Resolves when everything that the controllers need is loaded. */
  readonly ready: Promise<void>;
  stop(): void;
}

/**
 * Starts the controllers of a server. They are notified of every write and react after a short delay, in the order of
 * the writes, on the server's clock and with its randomness: the same seed yields the same pods.
 *
 * Must be called before other subscribers are added to the store, because those may write while they are notified.
 *
 * @param authority - returns the certificate authority of the server's listeners, as PEM.
 */
export function startControllers(
  server: ServerContext,
  options: ActorOptions,
  authority: () => string,
): RunningControllers {
  const { store } = server;
  const writers = new Map<string, ObjectWriter>();
  const writerOf = (manager: string) => {
    const writer = writers.get(manager) ?? createObjectWriter(server, manager);
    writers.set(manager, writer);
    return writer;
  };
  const index = new OwnerIndex(store);
  const writer = writerOf(controllerManager);
  const events = createEventRecorder(server, writer);
  const parts: ControllerParts = { server, index, writer, events };
  const controllers = [
    ...chosenControllers(parts, chosen(options.controllers), authority),
    ...[...stagesByStorage(options.stages ?? [])].map(([storage, stages]) =>
      createStageController(parts, storage, stages, writerOf),
    ),
  ];
  const followed = controllers.flatMap(({ follows = [] }) => follows);
  const ready = Promise.all([
    writer.prepare([...followed, "namespaces", "events"]),
    registerNodes(server, options.stages ?? [], writerOf("kubelet")),
  ]).then(() => {});
  const report = reportError(server.clock, options.onError);
  const queue = createWorkQueue(server.clock, ready, server.work, report);
  const byStorage = new Map<string, Controller[]>();
  const concerned = (storage: string) => {
    let found = byStorage.get(storage);
    if (found === undefined) {
      found = controllers.filter(({ follows }) => follows?.includes(storage) ?? true);
      byStorage.set(storage, found);
    }
    return found;
  };
  let isStarting = true;
  const notify: CommitListener = (event, storage) => {
    index.record(event, storage);
    for (const controller of concerned(storage)) {
      for (const key of controller.keysOf(event, storage)) {
        queue.add(controller, key, isStarting ? 0 : undefined);
      }
    }
  };
  // No delay for objects that the server creates at startup: no client could be updating them.
  queueMicrotask(() => {
    isStarting = false;
  });
  // Existing objects are new to the controllers.
  for (const [storage, collection] of store.collections()) {
    for (const [key, object] of collection.entries("")) {
      const { namespace = "" } = object.metadata;
      notify({ type: "ADDED", revision: store.revision, key, namespace, object }, storage);
    }
  }
  const forget = store.onCommit(notify);
  return {
    ready,
    stop() {
      forget();
      queue.stop();
    },
  };
}

function chosenControllers(
  parts: ControllerParts,
  options: ControllerOptions,
  authority: () => string,
): Controller[] {
  const makers: {
    readonly [K in keyof Required<ControllerOptions>]: () => Controller | readonly Controller[];
  } = {
    serviceAccounts: () => createServiceAccountController(parts, authority),
    deployments: () => createDeploymentController(parts),
    replicaSets: () => createReplicaSetController(parts),
    replicationControllers: () => createReplicationController(parts),
    jobs: () => [createJobController(parts), createOrphanPodController(parts)],
    cronJobs: () => createCronJobController(parts),
    statefulSets: () => createStatefulSetController(parts),
    daemonSets: () => createDaemonSetController(parts),
    endpointSlices: () => createEndpointSliceController(parts),
    storageProtection: () => createStorageProtection(parts),
    disruptionBudgets: () => createDisruptionController(parts),
    resourceQuotas: () => createQuotaController(parts),
    roleAggregation: () => createRoleAggregation(parts),
    eventExpiry: () => createEventExpiry(parts),
    namespaces: () => createNamespaceController(parts),
    garbageCollection: () => createGarbageCollector(parts),
  };
  return Object.entries(makers)
    .filter(([name]) => options[name as keyof ControllerOptions] === true)
    .flatMap(([, make]) => make());
}
