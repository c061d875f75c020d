import type { Live } from "@typekube/api";
import { compareResourceVersions } from "@typekube/core";
import type { ChangeHandler } from "typekube";
import type { ConfigMap } from "typekube/api/core/v1";

/** One step of one object, as the writer did it or a handler saw it. A deletion's version is not always known. */
export interface Seen {
  readonly name: string;
  /** The version that it has from then on; `undefined` when it is gone. */
  readonly version: string | undefined;
  /** It is gone, and a handler was told so without its last state. */
  readonly isUnseen?: boolean;
}

type Method = "add" | "delete" | "replaced" | "update";

/**
 * A handler that rebuilds the state from what it is told and notes everything that cannot be: an object added twice, changed
 * or removed without being there, told again, or told in a state older than one that was told before.
 */
export class RebuiltState {
  /** Name -> object as it was told last. */
  readonly objects: Map<string, Live<ConfigMap>> = new Map();
  /** The newest version that was told of anything; "" before the first. */
  newest = "";
  readonly #problems: string[] = [];
  #seen: Seen[] = [];
  #hasBegun = false;
  /** The same of each name, those of deletions included. */
  readonly #newest = new Map<string, string>();

  /** What to give to `onChange`. */
  readonly handler: ChangeHandler<ConfigMap> = {
    add: (object, { initial }) => {
      if (initial && this.#hasBegun) {
        this.#problems.push(
          `add of ${object.metadata.name} as if it had been there from the start`,
        );
      }
      this.#take("add", object, undefined);
    },
    update: (object, previous) => this.#take("update", object, previous),
    replaced: (object, previous) => this.#take("replaced", object, previous),
    delete: (object, { finalStateUnknown }) => this.#remove(object, finalStateUnknown),
    onError: (error) => this.#problems.push(`the handler failed: ${error}`),
  };

  /** Everything that was there at the start was told. */
  begin(): void {
    this.#hasBegun = true;
  }

  /** What was told since the last call, in order. */
  takeSeen(): Seen[] {
    const seen = this.#seen;
    this.#seen = [];
    return seen;
  }

  /** What was impossible so far; each told once. */
  takeProblems(): string[] {
    return this.#problems.splice(0);
  }

  #take(method: Method, object: Live<ConfigMap>, previous: Live<ConfigMap> | undefined): void {
    const { name, resourceVersion, uid } = object.metadata;
    const known = this.objects.get(name)?.metadata;
    if (known?.resourceVersion !== previous?.metadata.resourceVersion) {
      this.#problems.push(
        `${method} of ${name} from ${previous?.metadata.resourceVersion ?? "nothing"}, but ${known?.resourceVersion ?? "nothing"} was told before`,
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
      this.#problems.push(`delete of ${name}, which is not there`);
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
      this.#problems.push(`${method} of ${name} at ${version} after ${newest} was told`);
    } else {
      this.#newest.set(name, version);
    }
  }
}
