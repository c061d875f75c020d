import type { Live } from "@typekube/api";
import { compareResourceVersions } from "@typekube/core";
import type { ChangeHandler } from "typekube";
import type { ConfigMap } from "typekube/api/core/v1";

/**
 * One step of one object, as the writer made it or a handler saw it. The resourceVersion of a deletion is not always
 * known.
 */
export interface Seen {
  readonly name: string;
  /** resourceVersion after the step; `undefined` for a deletion. */
  readonly version: string | undefined;
  /** `true` for a deletion that the handler received without the final state. */
  readonly isUnseen?: boolean;
}

type Method = "add" | "delete" | "replaced" | "update";

/**
 * Rebuilds the state from a handler's events and records everything impossible: an object that is added twice, changed
 * or removed without existing, or delivered again or in an older state than before.
 */
export class RebuiltState {
  /** Name -> last delivered object. */
  readonly objects: Map<string, Live<ConfigMap>> = new Map();
  /** Newest resourceVersion delivered for any object; "" before the first. */
  newest = "";
  readonly #problems: string[] = [];
  #seen: Seen[] = [];
  #hasBegun = false;
  /** Newest resourceVersion by name, deletions included. */
  readonly #newest = new Map<string, string>();

  /** Handler for `onChange`. */
  readonly handler: ChangeHandler<ConfigMap> = {
    add: (object, { initial }) => {
      if (initial && this.#hasBegun) {
        this.#problems.push(
          `add of ${object.metadata.name} with initial: true after the initial objects`,
        );
      }
      this.#take("add", object, undefined);
    },
    update: (object, previous) => this.#take("update", object, previous),
    replaced: (object, previous) => this.#take("replaced", object, previous),
    delete: (object, { finalStateUnknown }) => this.#remove(object, finalStateUnknown),
    onError: (error) => this.#problems.push(`the handler failed: ${error}`),
  };

  /** Marks the initial objects as delivered. */
  begin(): void {
    this.#hasBegun = true;
  }

  /** Returns the steps delivered since the last call, in order. */
  takeSeen(): Seen[] {
    const seen = this.#seen;
    this.#seen = [];
    return seen;
  }

  /** Returns the impossible events since the last call. */
  takeProblems(): string[] {
    return this.#problems.splice(0);
  }

  #take(method: Method, object: Live<ConfigMap>, previous: Live<ConfigMap> | undefined): void {
    const { name, resourceVersion, uid } = object.metadata;
    const known = this.objects.get(name)?.metadata;
    if (known?.resourceVersion !== previous?.metadata.resourceVersion) {
      this.#problems.push(
        `${method} of ${name} from ${previous?.metadata.resourceVersion ?? "nothing"}, but ${known?.resourceVersion ?? "nothing"} was delivered before`,
      );
    }
    if (known !== undefined && (method === "replaced") !== (known.uid !== uid)) {
      this.#problems.push(
        `${method} of ${name} with ${known.uid === uid ? "the same" : "another"} uid`,
      );
    }
    this.#advance(method, name, resourceVersion);
    if (method === "replaced") {
      this.#seen.push({ name, version: undefined });
    }
    this.objects.set(name, object);
    this.#seen.push({ name, version: resourceVersion });
  }

  #remove(object: Live<ConfigMap>, finalStateUnknown: boolean): void {
    const { name, resourceVersion, uid } = object.metadata;
    const known = this.objects.get(name)?.metadata;
    if (known === undefined) {
      this.#problems.push(`delete of ${name}, which is unknown`);
    } else if (known.uid !== uid) {
      this.#problems.push(`delete of ${name} with another uid`);
    }
    this.objects.delete(name);
    if (!finalStateUnknown) {
      this.#advance("delete", name, resourceVersion);
    }
    this.#seen.push({ name, version: undefined, isUnseen: finalStateUnknown });
  }

  #advance(method: Method, name: string, version: string): void {
    if (this.newest === "" || compareResourceVersions(version, this.newest) > 0) {
      this.newest = version;
    }
    const newest = this.#newest.get(name);
    if (newest !== undefined && compareResourceVersions(version, newest) <= 0) {
      this.#problems.push(`${method} of ${name} at ${version} after ${newest} was delivered`);
    } else {
      this.#newest.set(name, version);
    }
  }
}
