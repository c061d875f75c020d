import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import { KubeError } from "@typekube/core";
import type { ServerContext } from "../../../context/server-context.js";
import type { Collection } from "../../../store/collection.js";
import { objectKey } from "../../../store/store.js";
import type { Externals } from "../scenario/externals.js";

/** The objects at one moment of a run, as they are stored, and the systems outside of the cluster. */
export interface World<X extends Externals = Externals> {
  /** Returns an object; `undefined` when it does not exist. */
  get<T extends KubeObject>(
    kind: ResourceDescriptor<T>,
    name: string,
    namespace?: string,
  ): T | undefined;
  /** Returns the objects of a kind, in all namespaces by default. */
  list<T extends KubeObject>(kind: ResourceDescriptor<T>, namespace?: string): readonly T[];
  /** The systems outside of the cluster, without faults. */
  readonly externals: X;
  /** Time of the scenario's clock, in milliseconds since 1970. */
  readonly now: number;
}

/** Returns the world of a server, until its run is over. */
export function worldOf<X extends Externals>(
  context: ServerContext,
  externals: X,
  isOver: () => boolean,
): World<X> {
  return new StoredWorld(context, externals, isOver);
}

class StoredWorld<X extends Externals> implements World<X> {
  readonly externals: X;
  readonly #context: ServerContext;
  readonly #isOver: () => boolean;

  constructor(context: ServerContext, externals: X, isOver: () => boolean) {
    this.#isOver = isOver;
    this.#context = context;
    this.externals = externals;
  }

  // Bound, since checks take the world apart.
  readonly get: World<X>["get"] = (
    kind,
    name,
    namespace = kind.scope === "Cluster" ? "" : "default",
  ) => this.#collectionOf(kind).get(objectKey(namespace, name)) as never;

  readonly list: World<X>["list"] = (kind, namespace) =>
    this.#collectionOf(kind)
      .entries(namespace === undefined ? "" : `${namespace}/`)
      .map(([, object]) => object as never);

  get now(): number {
    return this.#context.clock.now();
  }

  #collectionOf({ group, version, plural, kind }: ResourceDescriptor): Collection {
    if (this.#isOver()) {
      throw new KubeError("Aborted", "the run of this world is over");
    }
    const { registry, store } = this.#context;
    const resource = registry.find(group, version, plural);
    if (resource === undefined) {
      throw new KubeError("InvalidArgument", `the scenario's server has no ${kind}`, {
        hint: "give its definition in load",
      });
    }
    return store.collection(resource.storage);
  }
}

/** The reason when a check gives none. */
export const notTrue = "it does not hold";

/** Returns what is wrong with a world; `undefined` when it is fine. */
export function problemOf<X extends Externals>(
  check: (world: World<X>) => unknown,
  world: World<X>,
): string | undefined {
  try {
    const verdict = check(world);
    if (verdict instanceof Promise) {
      verdict.catch(() => {});
      return "it returns a promise, but the world is there at once";
    }
    if (verdict === undefined || verdict === true) {
      return undefined;
    }
    return typeof verdict === "string" ? verdict : notTrue;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
