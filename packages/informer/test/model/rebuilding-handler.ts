import type { Live } from "@typekube/api";
import type { ChangeHandler, HandlerHandle } from "@typekube/informer";
import type { Manner } from "./model-plan.js";
import type { Thing } from "./model-server.js";

/** Returns true when an object passes the filter of handlers that have one. */
export const passes = ({ data }: Live<Thing>): boolean => (data?.value ?? 0) % 2 === 0;

/** A handler that rebuilds the collection from its calls, and records impossible ones. */
export class RebuildingHandler {
  readonly known: Map<string, Live<Thing>> = new Map();
  readonly problems: string[] = [];
  readonly manner: Manner;
  readonly isFiltered: boolean;
  handle: HandlerHandle | undefined;
  /** `true` once the handler's own `synced` has resolved. */
  isSynced = false;
  isRemoved = false;
  /** `true` after a resync: an update may then change nothing. */
  isResynced = false;
  /** `true` when the handler no longer takes its time. */
  isFree = false;
  calls = 0;
  /** The newest resourceVersion delivered for each name, deletions included; not of objects that moved to another shard. */
  readonly #newest = new Map<string, number>();
  #isBusy = false;
  #end = () => {};

  constructor(manner: Manner, isFiltered: boolean) {
    this.manner = manner;
    this.isFiltered = isFiltered;
  }

  readonly handler: ChangeHandler<Thing> = {
    add: (object, { initial }) => {
      if (initial && this.isSynced) {
        this.#problem(`an initial add of ${show(object)} after it was synced`);
      }
      return this.#take("add", object, undefined);
    },
    update: (object, previous) => {
      if (versionOf(object) === versionOf(previous) && !this.isResynced) {
        this.#problem(`an update of ${show(object)} that changes nothing`);
      }
      return this.#take("update", object, previous);
    },
    replaced: (object, previous) => this.#take("replaced", object, previous),
    delete: (object, { moved }) => {
      const known = this.known.get(object.metadata.name);
      if (known === undefined) {
        this.#problem(`a delete of ${show(object)}, which is unknown`);
      } else if (Number(versionOf(object)) < Number(versionOf(known))) {
        this.#problem(`a delete of ${show(known)} as ${show(object)}`);
      }
      this.known.delete(object.metadata.name);
      if (moved) {
        this.#newest.delete(object.metadata.name);
      } else {
        this.#newest.set(object.metadata.name, Number(versionOf(object)));
      }
      return this.#act();
    },
    onError: () => {},
  };

  /** Ends the call in progress. */
  release(): void {
    this.#end();
  }

  #take(what: string, object: Live<Thing>, previous: Live<Thing> | undefined): unknown {
    const known = this.known.get(object.metadata.name);
    if (!this.isFiltered && !isSame(known, previous)) {
      this.#problem(
        `${what} of ${show(object)} from ${show(previous)} where ${show(known)} was delivered`,
      );
    }
    const newest = this.#newest.get(object.metadata.name) ?? 0;
    if (what === "add" && Number(versionOf(object)) <= newest) {
      this.#problem(`add of ${show(object)} after ${newest} was delivered`);
    }
    this.#newest.set(object.metadata.name, Number(versionOf(object)));
    if ((what === "add") !== (known === undefined)) {
      this.#problem(`${what} of ${show(object)} where ${show(known)} was delivered`);
    }
    if (known !== undefined) {
      if ((what === "replaced") !== (known.metadata.uid !== object.metadata.uid)) {
        this.#problem(`${what} of ${show(known)} by ${show(object)}`);
      }
      if (Number(versionOf(object)) < Number(versionOf(known))) {
        this.#problem(`${what} of ${show(known)} goes back to ${show(object)}`);
      }
    }
    if (this.isFiltered && !passes(object)) {
      this.#problem(`${what} of ${show(object)}, which does not pass`);
    }
    this.known.set(object.metadata.name, object);
    return this.#act();
  }

  #act(): unknown {
    this.calls++;
    if (this.isRemoved) {
      this.#problem("a call after it was removed");
    }
    if (this.#isBusy) {
      this.#problem("two calls at the same time");
    }
    if (this.manner === "fails") {
      throw new Error("the handler fails");
    }
    if (this.manner === "rejects") {
      return Promise.reject(new Error("the handler rejects"));
    }
    if (this.manner === "fast" || this.isFree) {
      return undefined;
    }
    this.#isBusy = true;
    return new Promise<void>((resolve) => {
      this.#end = () => {
        this.#isBusy = false;
        resolve();
      };
    });
  }

  #problem(what: string): void {
    this.problems.push(what);
  }
}

/** Returns true when two objects are the same state of one object. Another shard's cache has its own copy. */
export function isSame(a: Live<Thing> | undefined, b: Live<Thing> | undefined): boolean {
  return (
    a?.metadata.uid === b?.metadata.uid &&
    a?.metadata.resourceVersion === b?.metadata.resourceVersion
  );
}

const versionOf = ({ metadata }: Live<Thing>) => metadata.resourceVersion;

/** Formats an object in a few letters. */
export function show(object: Live<Thing> | undefined): string {
  return object === undefined
    ? "nothing"
    : `${object.metadata.name}@${object.metadata.resourceVersion}`;
}
