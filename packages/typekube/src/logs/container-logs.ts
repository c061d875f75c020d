import type { Live } from "@typekube/api";
import { Pod } from "@typekube/api/core/v1";
import type { ClientCore, LogOptions } from "@typekube/client";
import {
  contextOf,
  type LogView,
  type loadLogs,
  type PodTarget,
  resourcePath,
} from "@typekube/client/internal";
import { isForbidden, isUnauthorized, KubeError } from "@typekube/core";
import { type LinkedAbort, linkAbort, sleep } from "@typekube/core/internal";
import type { LogMerger } from "./log-merger.js";
import type { LogSource, MergedLogEvent, MergedLogOptions } from "./merged-log-options.js";

/** Milliseconds in which the log of a deleted pod must end by itself. */
const drainMs = 10_000;

/** Settings of {@link ContainerLogs}. */
export interface ContainerLogsSettings {
  readonly client: ClientCore;
  readonly parts: Awaited<ReturnType<typeof loadLogs>>;
  readonly options: MergedLogOptions;
  readonly maxLogs: number;
  readonly merger: LogMerger<MergedLogEvent>;
  /** Returns the present state of a pod. */
  readonly podNamed: (namespace: string, name: string) => Promise<Live<Pod> | undefined>;
  readonly signal: AbortSignal;
}

/** The log of one container. */
interface ContainerLog extends LogSource {
  readonly key: string;
  readonly restarts: number;
  readonly isInitial: boolean;
}

/** Reads the logs of containers, a limited number at once. */
export class ContainerLogs {
  readonly #settings: ContainerLogsSettings;
  readonly #running = new Map<string, LinkedAbort>();
  readonly #waiting = new Map<string, ContainerLog>();
  /** Restarts of each container whose log has been read to its end. */
  readonly #done = new Map<string, number>();
  #hasWarned = false;

  constructor(settings: ContainerLogsSettings) {
    this.#settings = settings;
  }

  /** Number of logs that wait until others end. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Starts the logs of a pod's containers that have one and are not read yet. */
  see(pod: Live<Pod>, isInitial: boolean): void {
    const { parts, options } = this.#settings;
    const { uid, name, namespace = "" } = pod.metadata;
    const { initContainers = [], containers = [], ephemeralContainers = [] } = pod.spec ?? {};
    for (const { name: container } of [...initContainers, ...containers, ...ephemeralContainers]) {
      const key = `${uid}/${container}`;
      const instance = parts.containerInstance(pod, container);
      const isWanted = options.container === undefined || options.container === container;
      const hasLog = instance !== undefined && (instance.isRunning || instance.ended !== undefined);
      const isKnown =
        this.#running.has(key) ||
        this.#waiting.has(key) ||
        (this.#done.get(key) ?? -1) >= (instance?.restarts ?? 0);
      if (isWanted && hasLog && !isKnown) {
        const { restarts } = instance;
        this.#waiting.set(key, { key, namespace, pod: name, container, restarts, isInitial });
      }
    }
    this.#startNext();
  }

  /** Ends the logs of a deleted pod, if they don't end by themselves. */
  gone({ metadata, spec }: Live<Pod>): void {
    const { clock } = contextOf(this.#settings.client);
    const { initContainers = [], containers = [], ephemeralContainers = [] } = spec ?? {};
    for (const { name } of [...initContainers, ...containers, ...ephemeralContainers]) {
      const key = `${metadata.uid}/${name}`;
      this.#waiting.delete(key);
      this.#done.delete(key);
      const running = this.#running.get(key);
      if (running !== undefined) {
        const cancel = clock.schedule(drainMs, () => running.abort(deleted), true);
        running.signal.addEventListener("abort", cancel, { once: true });
      }
    }
  }

  #startNext(): void {
    const { merger, signal, maxLogs } = this.#settings;
    for (const [key, log] of this.#waiting) {
      if (signal.aborted) {
        return;
      }
      if (this.#running.size >= maxLogs) {
        this.#warnOfWaiting();
        return;
      }
      this.#waiting.delete(key);
      const abort = linkAbort(signal);
      this.#running.set(key, abort);
      merger.add(this.#read(log, abort.signal), () => {
        this.#running.delete(key);
        abort.abort(deleted);
        abort[Symbol.dispose]();
        this.#startNext();
      });
    }
  }

  #warnOfWaiting(): void {
    const { options, client, parts, maxLogs } = this.#settings;
    if (options.follow && !this.#hasWarned) {
      this.#hasWarned = true;
      const text = `${maxLogs} logs are followed (maxLogs), ${this.#waiting.size} more must wait`;
      parts.emitWarning(contextOf(client), options, text);
    }
  }

  async *#read(
    log: ContainerLog,
    signal: AbortSignal,
  ): AsyncGenerator<readonly MergedLogEvent[], void, undefined> {
    const { client, parts, options } = this.#settings;
    const delay = new parts.ResumeDelay(Math.random);
    for (;;) {
      try {
        yield* parts.viewedLogs(this.#target(log), this.#logOptions(log), this.#view(log), signal);
        await this.#noteEnd(log);
        return;
      } catch (error) {
        if (signal.aborted && signal.reason === deleted) {
          return;
        }
        signal.throwIfAborted();
        if (
          isForbidden(error) ||
          isUnauthorized(error) ||
          KubeError.from(error).code === "Closed"
        ) {
          throw error;
        }
        const { namespace, pod, container } = log;
        if (!(options.follow && parts.isOfPodState(error))) {
          yield [{ type: "failed", namespace, pod, container, error }];
        }
        if (!(options.follow && parts.isCutOff(error))) {
          // A later change of the pod tries again.
          return;
        }
        // The first attempt after the failure has waited already.
        delay.next();
        await sleep(contextOf(client).clock, delay.next(), signal);
      }
    }
  }

  async #noteEnd(log: ContainerLog): Promise<void> {
    const { podNamed, parts } = this.#settings;
    const pod = await podNamed(log.namespace, log.pod);
    const now = pod === undefined ? undefined : parts.containerInstance(pod, log.container);
    if (pod !== undefined) {
      this.#done.set(log.key, Math.max(log.restarts, now?.restarts ?? 0));
    }
  }

  #logOptions({ container, isInitial }: ContainerLog): LogOptions & { readonly events: true } {
    const { options } = this.#settings;
    const { follow, insecureSkipTLSVerifyBackend, onWarning, timeoutMs } = options;
    const { since, sinceSeconds, sinceTime, tailLines } = options;
    // A pod that comes later is read from its beginning.
    const limits = isInitial || !follow ? { since, sinceSeconds, sinceTime, tailLines } : {};
    const own = { follow, insecureSkipTLSVerifyBackend, onWarning, timeoutMs };
    return { ...own, ...limits, container, restarts: "follow", events: true };
  }

  #target({ namespace, pod: name }: ContainerLog): PodTarget {
    const { client, podNamed } = this.#settings;
    return {
      context: contextOf(client),
      namespace,
      name,
      path: resourcePath(Pod, { namespace, name }),
      get: async () => {
        const pod = await podNamed(namespace, name);
        if (pod === undefined) {
          throw new KubeError("NotFound", `pods "${name}" not found`);
        }
        return pod;
      },
    };
  }

  #view({ namespace, pod, container }: ContainerLog): LogView<MergedLogEvent> {
    const { parts, options } = this.#settings;
    const { grep } = options;
    return {
      line(bytes, start, textStart, end, isPart) {
        const text = parts.textOf(bytes, textStart, end);
        if (grep !== undefined && !grep(text)) {
          return undefined;
        }
        const time = textStart > start ? bytes.toString("latin1", start, textStart - 1) : "";
        return { type: "line", namespace, pod, container, time, text, isPart };
      },
      mark: (mark) => ({ ...mark, namespace, pod, container }),
    };
  }
}

/** Reason that ends the log of a deleted pod. */
const deleted = new KubeError("NotFound", "the pod was deleted");
