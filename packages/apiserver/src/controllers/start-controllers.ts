import { assertKnownOptions } from "@typekube/core/internal";
import type { ServerContext } from "../context/server-context.js";
import { controllerList } from "./controller-list.js";
import { type ActorOptions, type ControllerOptions, isChosen } from "./controller-options.js";
import type { Controller } from "./runtime/controller.js";
import type { ControllerMaker } from "./runtime/controller-maker.js";
import type { ControllerParts } from "./runtime/controller-parts.js";
import { createControllerParts } from "./runtime/create-parts.js";
import { dispatchEvents } from "./runtime/dispatch-events.js";
import {
  controllerManager,
  createObjectWriter,
  type ObjectWriter,
} from "./runtime/object-writer.js";
import { reportError } from "./runtime/report-error.js";
import { createWorkQueue } from "./runtime/work-queue.js";
import { registerNodes } from "./stages/register-nodes.js";
import { createStageController, stagesByStorage } from "./stages/run-stages.js";

/** The running controllers of a server. */
export interface RunningControllers {
  /** Resolves when everything that the controllers need is loaded. */
  readonly ready: Promise<void>;
  stop(): void;
}

/**
 * Rejects unknown names of controllers.
 *
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertControllerNames(controllers: ActorOptions["controllers"]): void {
  if (typeof controllers === "object") {
    assertKnownOptions("controllers", controllers, controllerList);
  }
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
  const { stages = [], onError } = options;
  const writerOf = createWriters(server);
  const context = createControllerParts(server, writerOf(controllerManager), authority);
  const controllers = [
    ...chosenControllers(context, options.controllers),
    ...[...stagesByStorage(stages)].map(([storage, some]) =>
      createStageController(context, storage, some, writerOf),
    ),
  ];
  const followed = controllers.flatMap(({ follows = [] }) => follows);
  const ready = Promise.all([
    context.writer.prepare([...followed, "namespaces", "events"]),
    registerNodes(server, stages, writerOf("kubelet")),
  ]).then(() => {});
  const report = reportError(server.clock, onError);
  const queue = createWorkQueue(server.clock, ready, server.work, report);
  const forget = dispatchEvents({ store: server.store, index: context.index, queue, controllers });
  return {
    ready,
    stop() {
      forget();
      queue.stop();
    },
  };
}

/** Returns a function that creates the writer of each field manager once. */
function createWriters(server: ServerContext): (manager: string) => ObjectWriter {
  const writers = new Map<string, ObjectWriter>();
  return (manager) => {
    const writer = writers.get(manager) ?? createObjectWriter(server, manager);
    writers.set(manager, writer);
    return writer;
  };
}

function chosenControllers(
  context: ControllerParts,
  controllers: ActorOptions["controllers"],
): Controller[] {
  return Object.entries<ControllerMaker>(controllerList)
    .filter(([name]) => isChosen(controllers, name as keyof ControllerOptions))
    .flatMap(([, make]) => make(context));
}
