import type { Live } from "@typekube/api";
import type { FollowEvent } from "@typekube/informer";
import type { Thing } from "./model-server.js";
import { show } from "./rebuilding-handler.js";

/**
 * A reader of `follow` that builds a map from its events alone, reads only as much as it is allowed to, and records
 * impossible events.
 */
export class MapReader {
  /** The objects known; during a new snapshot, those from before it. */
  known: Map<string, Live<Thing>> = new Map();
  readonly problems: string[] = [];
  /** Snapshot in progress. */
  #snapshot: Map<string, Live<Thing>> | undefined = new Map();
  #version = 0;
  #credits = 0;
  #more = () => {};
  readonly #expected: (version: number) => ReadonlyMap<string, Live<Thing>>;
  readonly reading: Promise<void>;

  /** @param expected - returns the objects at a resourceVersion. */
  constructor(
    events: AsyncIterable<FollowEvent<Thing>>,
    expected: (version: number) => ReadonlyMap<string, Live<Thing>>,
  ) {
    this.#expected = expected;
    this.reading = this.#read(events);
  }

  /** Allows this many more reads. */
  read(times: number): void {
    this.#credits += times;
    this.#more();
  }

  /** Stops reading for now. */
  pause(): void {
    this.#credits = 0;
  }

  async #read(events: AsyncIterable<FollowEvent<Thing>>): Promise<void> {
    for await (const event of events) {
      this.#take(event);
      this.#credits--;
      while (this.#credits <= 0) {
        await new Promise<void>((resolve) => {
          this.#more = resolve;
        });
      }
    }
  }

  #take(event: FollowEvent<Thing>): void {
    switch (event.type) {
      case "gap":
        this.#snapshot = new Map();
        return;
      case "initial":
        if (this.#snapshot === undefined) {
          this.problems.push(`an initial ${show(event.object)} outside of a snapshot`);
        }
        this.#snapshot?.set(event.object.metadata.name, event.object);
        return;
      case "synced":
        this.#complete(event.resourceVersion);
        return;
      case "bookmark":
        this.#advance(event.resourceVersion, "a bookmark");
        return;
      case "applied":
        this.#apply(event.object, event.created === true);
        return;
      case "deleted":
        if (this.#snapshot !== undefined) {
          this.#snapshot.delete(event.object.metadata.name);
          return;
        }
        this.#advance(event.object.metadata.resourceVersion, `deleted ${show(event.object)}`);
        if (!this.known.delete(event.object.metadata.name)) {
          this.problems.push(`deleted ${show(event.object)}, which is unknown`);
        }
        return;
      default:
        event satisfies never;
    }
  }

  /** Completes a snapshot, which must contain the objects at its resourceVersion. */
  #complete(resourceVersion: string): void {
    if (this.#snapshot === undefined) {
      this.problems.push(`synced at ${resourceVersion} outside of a snapshot`);
      return;
    }
    if (Number(resourceVersion) < this.#version) {
      this.problems.push(`a snapshot at ${resourceVersion} after ${this.#version}`);
    }
    const has = [...this.#snapshot.values()].map(show).sort().join(" ");
    const due = [...this.#expected(Number(resourceVersion)).values()].map(show).sort().join(" ");
    if (has !== due) {
      this.problems.push(`the snapshot at ${resourceVersion} has [${has}], not [${due}]`);
    }
    this.known = this.#snapshot;
    this.#snapshot = undefined;
    this.#version = Number(resourceVersion);
  }

  #apply(object: Live<Thing>, isCreated: boolean): void {
    this.#advance(object.metadata.resourceVersion, `applied ${show(object)}`);
    const known = this.known.get(object.metadata.name);
    if (isCreated !== (known === undefined)) {
      this.problems.push(
        `applied ${show(object)}${isCreated ? ", created," : ""} where there is ${show(known)}`,
      );
    }
    if (known !== undefined && known.metadata.uid !== object.metadata.uid) {
      this.problems.push(`${show(object)} takes the place of another ${show(known)}`);
    }
    this.known.set(object.metadata.name, object);
  }

  #advance(resourceVersion: string, what: string): void {
    const version = Number(resourceVersion);
    if (this.#snapshot !== undefined) {
      this.problems.push(`${what} within a snapshot`);
    }
    if (version < this.#version) {
      this.problems.push(`${what} at ${version} after ${this.#version}`);
    }
    this.#version = version;
  }
}
