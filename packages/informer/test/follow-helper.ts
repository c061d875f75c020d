import type { KubeObject } from "@typekube/api";
import { createVirtualClock, type VirtualClock } from "@typekube/apiserver";
import type { KubeError } from "@typekube/core";
import { Informer, type InformerOptions } from "@typekube/informer";
import { SharedCache, type WatchSource } from "@typekube/informer/internal";

/** An informer on a scripted server, with a clock that the test controls. */
export interface Bench {
  readonly informer: Informer;
  readonly clock: VirtualClock;
  readonly errors: KubeError[];
  /** Returns the names and resourceVersions in the cache. */
  content(): string[];
  /** Runs everything that needs no time to pass. */
  settle(): Promise<void>;
}

export function observe(source: WatchSource, options: InformerOptions<KubeObject> = {}): Bench {
  const clock = createVirtualClock();
  const errors: KubeError[] = [];
  const all: InformerOptions<KubeObject> = {
    streamingList: false,
    random: () => 0,
    ...options,
    onError: (error) => errors.push(error),
  };
  const informer = new Informer(new SharedCache<KubeObject>(source, all, clock), all);
  return {
    informer,
    clock,
    errors,
    content: () =>
      informer
        .list()
        .map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`)
        .sort(),
    settle: () => clock.advance(0),
  };
}
