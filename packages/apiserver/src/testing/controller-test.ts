import type { Controller, Manager, ManagerOptions } from "@typekube/controller";
import { startObservedManager } from "@typekube/controller/internal";
import { KubeError } from "@typekube/core";
import type { Client } from "typekube";
import type { ApiServer } from "../api-server/api-server.js";
import { startApiServer } from "../api-server/start-api-server.js";
import type { ApiServerOptions } from "../server/api-server-options.js";
import type { VirtualClock } from "../time/virtual-clock.js";
import { type RecordedRun, recordRuns } from "./run-record.js";

/** Options of {@link controllerTest}. */
export interface ControllerTestOptions extends Omit<ApiServerOptions, "clock"> {
  /** Options of the manager; its clock and random numbers are those of the test, and jitter is 0. */
  readonly manager?: Omit<ManagerOptions, "clock" | "controllers"> | undefined;
  /** Called with a client before the manager starts, to create what is there already. */
  readonly before?: ((client: Client, api: ApiServer<VirtualClock>) => unknown) | undefined;
}

/** Controllers at work on an embedded API server, everything on one virtual clock. */
export interface ControllerTest extends AsyncDisposable {
  readonly api: ApiServer<VirtualClock>;
  readonly client: Client;
  readonly manager: Manager;
  /** Clock of the server, the client and the manager. Its `advance` leaves what follows to {@link settled}. */
  readonly clock: VirtualClock;
  /** Returns the runs so far, of all objects or of one. */
  runs(key?: string): readonly RecordedRun[];
  /**
   * Waits until nothing is going on: no run, no ready key, no request, and no cache behind the server. Timers that are
   * not due count as nothing.
   *
   * @throws {KubeError} `DeadlineExceeded` after 5 s of real time, naming what is busy.
   */
  settled(options?: { readonly timeoutMs?: number | undefined }): Promise<void>;
  /** Advances the clock and waits until nothing is going on. */
  advance(ms: number): Promise<void>;
}

/** Grace of a manager whose options name none, in milliseconds. */
const defaultGraceMs = 30_000;
/** Milliseconds of real time after which `settled()` fails. */
const settleTimeoutMs = 5_000;

/**
 * Starts controllers on an embedded API server with a virtual clock, for tests without a cluster and without waiting.
 *
 * @example
 * ```ts
 * const labels = defineController(ConfigMap, { reconcile() {} });
 * await using t = await controllerTest(labels);
 * await t.client.resource(ConfigMap, "default").create({ metadata: { name: "tea" } });
 * await t.settled();
 * console.log(t.runs("default/tea").at(-1)?.outcome); // success
 * ```
 */
export async function controllerTest(
  controllers: Controller | readonly Controller[],
  options: ControllerTestOptions = {},
): Promise<ControllerTest> {
  const { manager: managerOptions, before, ...server } = options;
  const api = await startApiServer({ seed: 1, ...server, clock: "virtual" });
  const client = await api.client();
  const runs: RecordedRun[] = [];
  let manager: Manager;
  try {
    await before?.(client, api);
    manager = await startObservedManager(
      client,
      {
        random: () => 0,
        ...managerOptions,
        controllers: Array.isArray(controllers) ? controllers : [controllers as Controller],
      },
      [recordRuns(runs, api.clock)],
    );
  } catch (error) {
    await client.close();
    await api.close();
    throw error;
  }
  const settled = ({ timeoutMs = settleTimeoutMs } = {}) => untilSettled(api, manager, timeoutMs);
  return {
    api,
    client,
    manager,
    clock: api.clock,
    runs: (key) => (key === undefined ? [...runs] : runs.filter((run) => run.key === key)),
    settled,
    async advance(ms) {
      await api.clock.advance(ms);
      await settled();
    },
    async [Symbol.asyncDispose]() {
      const stopped = manager.stop().catch(() => {});
      // Runs that never end hold the manager until its grace is over, which only this clock can bring about.
      await api.clock.advance(options.manager?.graceMs ?? defaultGraceMs);
      await stopped;
      await client.close();
      await api.close();
    },
  };
}

// Captured at load time, so that fake timers of a test framework don't block the wait.
const { setTimeout } = globalThis;

async function untilSettled(
  api: ApiServer<VirtualClock>,
  manager: Manager,
  timeoutMs: number,
): Promise<void> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    try {
      await api.settled({ timeoutMs: Math.max(1, end - performance.now()) });
    } catch (error) {
      throw manager.busy.length === 0 ? error : unsettled(manager.busy, timeoutMs);
    }
    if (manager.busy.length === 0) {
      return;
    }
    if (performance.now() >= end) {
      throw unsettled(manager.busy, timeoutMs);
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

function unsettled(busy: readonly string[], timeoutMs: number): KubeError {
  return new KubeError(
    "DeadlineExceeded",
    `the controllers did not settle within ${timeoutMs} ms: ${busy.join(", ")}`,
    { hint: "a run that waits for a timer of the clock needs advance()" },
  );
}
