import type { KubeObject } from "@typekube/api";
import type { ListOptions, ReadSupervisor, WatchOptions } from "@typekube/client";
import { KubeError, type ListPart, type WireWatchEvent } from "@typekube/core";
import type { WatchSource } from "@typekube/informer";

/** A pod as tests need it: a name and a version. */
export function pod(
  name: string,
  resourceVersion: string | number,
  extra: object = {},
): KubeObject {
  return {
    kind: "Pod",
    apiVersion: "v1",
    metadata: {
      name,
      namespace: "default",
      uid: `uid-${name}`,
      resourceVersion: String(resourceVersion),
      ...extra,
    },
  } as KubeObject;
}

/** What a scripted list answers: items at a version, perhaps with a token for the next page, or a failure. */
export type ListAnswer =
  | KubeError
  | {
      readonly items: readonly KubeObject[];
      readonly version: string | number;
      readonly next?: string;
      readonly kind?: string;
    };

/** A list of everything in one answer. */
export const list = (version: number | string, ...items: readonly KubeObject[]) => ({
  items,
  version,
});

/** What a scripted watch does: events in groups, then it ends, fails or stays open. */
export interface WatchAnswer {
  readonly batches?: readonly (readonly WireWatchEvent[])[];
  readonly outcome?: KubeError | "end" | "stay";
}

/** A server that follows a script and remembers what it was asked. */
export class ScriptedSource implements WatchSource {
  readonly lists: ListOptions[] = [];
  readonly watches: WatchOptions[] = [];
  open = 0;
  readonly #lists: ListAnswer[];
  readonly #watches: (WatchAnswer | KubeError)[];

  constructor(script: { lists?: ListAnswer[]; watches?: (WatchAnswer | KubeError)[] }) {
    this.#lists = script.lists ?? [];
    this.#watches = script.watches ?? [];
  }

  async descriptor() {
    return { kind: "Pod", plural: "pods" };
  }

  /** The versions that lists asked for; a continued page as `(token)`. */
  get listVersions(): string[] {
    return this.lists.map((list) =>
      list.continue ? `(${list.continue})` : (list.resourceVersion ?? ""),
    );
  }

  async *listParts(options: ListOptions): AsyncIterable<ListPart> {
    this.lists.push(options);
    const answer =
      this.#lists.shift() ?? new KubeError("InternalError", "the script has no more lists");
    if (answer instanceof KubeError) {
      throw answer;
    }
    const metadata = { resourceVersion: String(answer.version), continue: answer.next };
    yield { apiVersion: "v1", kind: answer.kind ?? "PodList", metadata, items: answer.items };
  }

  async *watchBatches(
    options: WatchOptions,
    supervisor?: ReadSupervisor,
  ): AsyncIterable<readonly WireWatchEvent[]> {
    const signal = options.signal as AbortSignal;
    signal.throwIfAborted();
    this.watches.push(options);
    const answer = this.#watches.shift() ?? { outcome: "stay" };
    if (answer instanceof Error) {
      throw answer;
    }
    supervisor?.onAnswer?.();
    this.open++;
    try {
      for (const batch of answer.batches ?? []) {
        yield batch;
      }
      if (answer.outcome instanceof KubeError) {
        throw answer.outcome;
      }
      if (answer.outcome !== "end") {
        signal.throwIfAborted();
        await new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        });
      }
    } finally {
      this.open--;
    }
  }
}
