import type { ReadSupervisor } from "@typekube/client/internal";
import type { WatchSource } from "./watch-source.js";
import { wrapSource } from "./wrap-source.js";

/** Wraps a source and reports the bytes of its responses as they arrive. Keeps all callbacks of a supervisor. */
export function countingSource(source: WatchSource, onBytes: (count: number) => void): WatchSource {
  const counting = (supervisor: ReadSupervisor = {}): ReadSupervisor => ({
    isRepeated: supervisor.isRepeated,
    takesTables: supervisor.takesTables,
    hasCheckedFields: supervisor.hasCheckedFields,
    onResponse: () => supervisor.onResponse?.(),
    onBytes: (count) => {
      onBytes(count);
      supervisor.onBytes?.(count);
    },
  });
  return wrapSource(source, {
    listParts: (options, supervisor) => source.listParts(options, counting(supervisor)),
    watchBatches: (options, supervisor) => source.watchBatches(options, counting(supervisor)),
  });
}
