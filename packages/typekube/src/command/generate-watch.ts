import { CustomResourceDefinition } from "@typekube/api/apiextensions/v1";
import type { ObjectMeta } from "@typekube/api/meta/v1";
import { type Clock, systemClock } from "@typekube/core/internal";
import type { CommandIo } from "./command-io.js";
import { exit } from "./generate-exit.js";
import type { GenerateCommandOptions } from "./generate-options.js";

/** Milliseconds without a change after which files are generated again. A chart installs many definitions within a second. */
export const quietMs = 500;

/**
 * Generates once, and again after each change of the definitions in a cluster, until the signal is aborted. Changes of a status do not
 * count. A generation that fails is reported, and does not end the watch, unless it is the first one and reaches no cluster.
 *
 * @param generateOnce - reads everything and writes the files; returns an exit code.
 * @returns the exit code of the last generation.
 * @throws {KubeError} when the definitions cannot be listed.
 */
export async function watchDefinitions(
  { kubeconfig, context }: Pick<GenerateCommandOptions, "context" | "kubeconfig">,
  io: Pick<CommandIo, "clock" | "signal">,
  generateOnce: () => Promise<number>,
): Promise<number> {
  const [{ ClientCore, clientSettings }, { contextOf, resourceOf }, { createInformer }] =
    await Promise.all([
      import("@typekube/client"),
      import("@typekube/client/internal"),
      import("@typekube/informer"),
    ]);
  const signal = io.signal ?? signalOfProcess();
  await using client = new ClientCore(await clientSettings({ kubeconfig, context }));
  try {
    // An informer tries again without end, also in a cluster that was never there.
    await resourceOf(contextOf(client), CustomResourceDefinition).list({ limit: 1, signal });
  } catch (error) {
    if (signal.aborted) {
      return exit.done;
    }
    throw error;
  }
  await using definitions = createInformer(client, CustomResourceDefinition, { view: "metadata" });
  const generations = new Map<string, unknown>();
  const repeated = new RepeatedTask(generateOnce, io.clock ?? systemClock, signal);
  const note = (
    { metadata }: { readonly metadata?: ObjectMeta | undefined },
    isDeleted = false,
  ) => {
    const { name = "", uid, generation } = metadata ?? {};
    const now = isDeleted ? undefined : `${uid} ${generation}`;
    if (generations.get(name) !== now) {
      generations.set(name, now);
      repeated.request();
    }
  };
  definitions.onChange({
    add: (definition) => note(definition),
    update: (definition) => note(definition),
    delete: (definition) => note(definition, true),
  });
  try {
    await definitions.synced({ signal });
  } catch (error) {
    if (!signal.aborted) {
      throw error;
    }
  }
  // The first generation does not wait: it has everything that is there.
  const first = await repeated.start();
  if (first !== exit.unreachable) {
    await aborted(signal);
  }
  return repeated.end();
}

/** Runs a task after requests have become quiet, one run at a time. */
class RepeatedTask {
  readonly #run: () => Promise<number>;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #cancel: (() => void) | undefined;
  #running: Promise<void> | undefined;
  #isRequested = false;
  #isStarted = false;
  #isEnded = false;
  #code: number = exit.done;

  /** @param signal - after its abort no run begins. */
  constructor(run: () => Promise<number>, clock: Clock, signal: AbortSignal) {
    this.#run = run;
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Requests a run. Those before the start are part of the first run. */
  request(): void {
    if (!this.#isStarted || this.#isEnded) {
      return;
    }
    this.#cancel?.();
    this.#cancel = this.#clock.schedule(quietMs, () => this.#begin());
  }

  /** Begins the first run; returns its exit code. */
  async start(): Promise<number> {
    this.#isStarted = true;
    this.#begin();
    await this.#running;
    return this.#code;
  }

  /** Ends after the run in progress; returns the exit code of the last one. */
  async end(): Promise<number> {
    this.#isEnded = true;
    this.#cancel?.();
    await this.#running;
    return this.#code;
  }

  #begin(): void {
    this.#cancel = undefined;
    if (this.#isEnded || this.#signal.aborted) {
      return;
    }
    if (this.#running !== undefined) {
      this.#isRequested = true;
      return;
    }
    this.#running = this.#run().then((code) => {
      this.#code = code;
      this.#running = undefined;
      if (this.#isRequested) {
        this.#isRequested = false;
        this.#begin();
      }
    });
  }
}

function signalOfProcess(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.once(name, () => controller.abort());
  }
  return controller.signal;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
    } else {
      signal.addEventListener("abort", () => resolve(), { once: true });
    }
  });
}
