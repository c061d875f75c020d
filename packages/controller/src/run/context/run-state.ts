import type { KubeObject, Live } from "@typekube/api";
import { nameOfKey } from "../../definition/object-key.js";

/** State of one run. */
export interface RunState {
  readonly key: string;
  readonly namespace: string | undefined;
  /** The newest state of the object that the run knows: as read, then as its own writes left it. */
  object: Live<KubeObject> | undefined;
  /** The whole object as the server had it, once a status was compared with it: the cache keeps some fields only. */
  whole?: Live<KubeObject> | undefined;
  /** Generation of the object that is reconciled, which later writes may show to be outdated. */
  generation: number | undefined;
  readonly signal: AbortSignal;
  /** Children that the run applied, by kind and key. */
  readonly applied: Set<string>;
  /** Children that are not ready for those that come after them. */
  readonly unready: Map<string, string>;
  /** Kinds that the run found absent: what it did not apply of them is not to be deleted. */
  readonly absentKinds: Set<string>;
}

/** The state of a run whose parts are made when they are first used. */
export class LazyRunState implements RunState {
  object: Live<KubeObject> | undefined;
  whole: Live<KubeObject> | undefined;
  generation: number | undefined;
  readonly #target: { readonly key: string; readonly signal: AbortSignal };
  #applied: Set<string> | undefined;
  #unready: Map<string, string> | undefined;
  #absentKinds: Set<string> | undefined;

  constructor(
    target: { readonly key: string; readonly signal: AbortSignal },
    object: Live<KubeObject> | undefined,
  ) {
    this.#target = target;
    this.object = object;
    this.generation = object?.metadata.generation;
  }

  get key(): string {
    return this.#target.key;
  }

  get namespace(): string | undefined {
    return nameOfKey(this.key).namespace;
  }

  get signal(): AbortSignal {
    return this.#target.signal;
  }

  get applied(): Set<string> {
    this.#applied ??= new Set();
    return this.#applied;
  }

  get absentKinds(): Set<string> {
    this.#absentKinds ??= new Set();
    return this.#absentKinds;
  }

  get unready(): Map<string, string> {
    this.#unready ??= new Map();
    return this.#unready;
  }
}
