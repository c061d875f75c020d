import { assertOptions, callback, type OptionTable } from "@typekube/core/internal";
import type { PodHandlers, PodTarget } from "../pod-handlers.js";
import { containerFacts, containerOfPort } from "./container-facts.js";
import { defaultMemoryLimits, type MemoryLimits, memoryLimits } from "./files/memory-limits.js";
import { MemoryContainer } from "./memory-container.js";

/** Options of {@link memoryContainers}. */
export interface MemoryContainersOptions extends MemoryLimits {
  /**
   * Returns the present in milliseconds since the epoch, for the times of files and lines. Default `Date.now`; with a
   * virtual clock pass its `now`.
   */
  readonly now?: (() => number) | undefined;
}

const memoryContainersOptions: OptionTable<MemoryContainersOptions> = {
  ...memoryLimits,
  now: callback,
};

/**
 * Returns handlers that simulate containers in memory, as `npx typekube serve` has them. Each container of each pod has
 * files of its own, the programs `cat`, `echo`, `env`, `head`, `ls`, `mkdir`, `mv`, `rm`, `sort`, `tar`, `test` and `wc`
 * without a shell, a log, and an HTTP page on each port. A container whose command is one of these programs runs it, with
 * the input of the first session that is attached; the log has its output. No image runs.
 *
 * @example
 * ```ts
 * await using api = await startApiServer({ pods: memoryContainers() });
 * ```
 *
 * @throws {KubeError} `InvalidArgument` for an invalid option.
 */
export function memoryContainers(options: MemoryContainersOptions = {}): {
  readonly [Name in Exclude<keyof PodHandlers, "nodePort">]-?: NonNullable<PodHandlers[Name]>;
} {
  assertOptions("memoryContainers()", options, memoryContainersOptions);
  const { now = Date.now, maxContainers = defaultMemoryLimits.maxContainers } = options;
  const containers = new Map<string, MemoryContainer>();
  const containerOf = ({ pod }: Pick<PodTarget, "pod">, name: string): MemoryContainer => {
    const key = `${pod.metadata.uid}/${name}`;
    const container =
      containers.get(key) ?? new MemoryContainer(containerFacts(pod, name), now, options);
    // The order of the map is that of the last use.
    containers.delete(key);
    containers.set(key, container);
    for (const oldest of containers.keys()) {
      if (containers.size <= maxContainers) {
        break;
      }
      containers.delete(oldest);
    }
    return container;
  };
  return {
    log: (request) => {
      const { follow, tailLines, signal, ended } = request;
      const until = [signal, ended];
      return containerOf(request, request.container).log.read({ follow, tailLines, until });
    },
    exec: async (session) => containerOf(session, session.container).exec(session),
    attach: async (session) => containerOf(session, session.container).attach(session),
    portForward: async (port) =>
      containerOf(port, containerOfPort(port.pod, port.port)).portForward(port),
  };
}
