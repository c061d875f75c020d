import type { KubeObject } from "@typekube/api";
import type { ListOptions } from "@typekube/client";
import type { KubeError } from "@typekube/core";
import { errorFromStatus, type ListPart } from "@typekube/core/internal";

/** One page of a scripted list, optionally with an error after it. */
export interface Page {
  readonly items: readonly string[];
  readonly next?: string;
  readonly version?: string;
  /** Thrown after the items. */
  readonly failure?: Error;
}

/** A list function that returns pages in order and records its options. */
export class ScriptedPages {
  readonly requested: ListOptions[] = [];
  readonly #pages: readonly (Error | Page)[];

  constructor(...pages: readonly (Error | Page)[]) {
    this.#pages = pages;
  }

  readonly list = (options: ListOptions): AsyncIterable<ListPart> => {
    this.requested.push(options);
    return this.#response(this.#pages[this.requested.length - 1], options.signal);
  };

  async *#response(
    page: Error | Page | undefined,
    signal: AbortSignal | undefined,
  ): AsyncIterable<ListPart> {
    signal?.throwIfAborted();
    if (page === undefined || page instanceof Error) {
      throw page ?? new Error("one page too many was asked for");
    }
    const { items, next, version = "10", failure } = page;
    const head = {
      apiVersion: "v1",
      kind: "PodList",
      metadata: { resourceVersion: version, continue: next },
    };
    // One item at a time, as when bytes arrive slowly.
    for (const name of items) {
      yield { ...head, items: [podNamed(name)] };
    }
    if (failure) {
      throw failure;
    }
    yield { ...head, items: [] };
  }
}

/** Returns the pod for a name: `a` in the namespace prod, or `ns/a`. */
export function podNamed(name: string): KubeObject {
  const [first = "", second] = name.split("/");
  const metadata =
    second === undefined ? { name: first, namespace: "prod" } : { name: second, namespace: first };
  return { kind: "Pod", apiVersion: "v1", metadata };
}

/** Returns names from a prefix and a count: `a0`, `a1` ... */
export function names(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${prefix}${i}`);
}

/** Returns the error of an expired continue token, optionally with a token to continue with. */
export function expired(token?: string): KubeError {
  return errorFromStatus({
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    reason: "Expired",
    code: 410,
    message: "The provided continue parameter is too old",
    metadata: { continue: token },
  });
}
