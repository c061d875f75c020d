import { CustomResourceDefinition } from "@typekube/api/apiextensions/v1";
import type { ObjectMeta } from "@typekube/api/meta/v1";
import { type Clock, systemClock } from "@typekube/core/internal";
import type { CommandIo } from "./command-io.js";
import type { GenerateCommandOptions } from "./generate-options.js";

/** Milliseconds without a change after which files are generated again. A chart installs many definitions within a second. */
export const quietMs = 500;

/**
 * Generates once, and again after each change of the definitions in a cluster, until the signal is aborted. Changes of a status do not
 * count. A generation that fails is reported, and does not end the watch.
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
  const [{ ClientCore, clientSettings }, { createInformer }] = await Promise.all([
    import("@typekube/client"),
    import("@typekube/informer"),
  ]);
  const signal = io.signal ?? signalOfProcess();
  await using client = new ClientCore(await clientSettings({ kubeconfig, context }));
  await using definitions = createInformer(client, CustomResourceDefinition, { view: "metadata" });
  const generations = new Map<string, unknown>();
  const repeated = new RepeatedTask(generateOnce, io.clock ?? systemClock);
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
  repeated.start();
  await aborted(signal);
  return repeated.end();
}

/** Runs a task after requests have become quiet, one run at a time. */
class RepeatedTask {
  readonly #run: () => Promise<number>;
  readonly #clock: Clock;
  #cancel: (() => void) | undefined;
  #running: Promise<void> | undefined;
  #isRequested = false;
  #isStarted = false;
  #isEnded = false;
  #code = 0;

  constructor(run: () => Promise<number>, clock: Clock) {
    this.#run = run;
    this.#clock = clock;
  }

  /** Requests a run. Those before the start are part of the first run. */
  request(): void {
    if (!this.#isStarted || this.#isEnded) {
      return;
    }
    this.#cancel?.();
    this.#cancel = this.#clock.schedule(quietMs, () => this.#begin());
  }

  start(): void {
    this.#isStarted = true;
    this.#begin();
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
    if (this.#isEnded) {
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
