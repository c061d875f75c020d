import type { KubeObject } from "@typekube/api";
import type { ListOptions, WatchOptions } from "@typekube/client";
import type { ReadSupervisor } from "@typekube/client/internal";
import { KubeError } from "@typekube/core";
import type { ListPart, WireWatchEvent } from "@typekube/core/internal";
import type { WatchSource } from "@typekube/informer/internal";

/** Creates a minimal pod with a name and a resourceVersion. */
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

/** Response of a scripted list: items at a resourceVersion, optionally with a token for the next page, or a failure. */
export type ListResponse =
  | KubeError
  | {
      readonly items: readonly KubeObject[];
      readonly version: string | number;
      readonly next?: string;
      readonly kind?: string;
    };

/** Creates the response of a whole list. */
export const list = (version: number | string, ...items: readonly KubeObject[]) => ({
  items,
  version,
});

/** Script of a watch: events in groups, after which it ends, fails or stays open. */
export interface WatchResponse {
  readonly batches?: readonly (readonly WireWatchEvent[])[];
  readonly outcome?: KubeError | "end" | "stay";
}

/** A server that follows a script and records its requests. */
export class ScriptedSource implements WatchSource {
  readonly lists: ListOptions[] = [];
  readonly watches: WatchOptions[] = [];
  open = 0;
  readonly #lists: ListResponse[];
  readonly #watches: (WatchResponse | KubeError)[];

  constructor(script: { lists?: ListResponse[]; watches?: (WatchResponse | KubeError)[] }) {
    this.#lists = script.lists ?? [];
    this.#watches = script.watches ?? [];
  }

  async descriptor() {
    return { kind: "Pod", plural: "pods" };
  }

  /** The resourceVersions that lists requested; a continued page as `(token)`. */
  get listVersions(): string[] {
    return this.lists.map((list) =>
      list.continue ? `(${list.continue})` : (list.resourceVersion ?? ""),
    );
  }

  async *listParts(options: ListOptions): AsyncIterable<ListPart> {
    this.lists.push(options);
    const response =
      this.#lists.shift() ?? new KubeError("InternalError", "the script has no more lists");
    if (response instanceof KubeError) {
      throw response;
    }
    const metadata = { resourceVersion: String(response.version), continue: response.next };
    yield { apiVersion: "v1", kind: response.kind ?? "PodList", metadata, items: response.items };
  }

  async *watchBatches(
    options: WatchOptions,
    supervisor?: ReadSupervisor,
  ): AsyncIterable<readonly WireWatchEvent[]> {
    const signal = options.signal as AbortSignal;
    signal.throwIfAborted();
    this.watches.push(options);
    const response = this.#watches.shift() ?? { outcome: "stay" };
    if (response instanceof Error) {
      throw response;
    }
    supervisor?.onResponse?.();
    this.open++;
    try {
      for (const batch of response.batches ?? []) {
        yield batch;
      }
      if (response.outcome instanceof KubeError) {
        throw response.outcome;
      }
      if (response.outcome !== "end") {
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
