import type { Change } from "@typekube/informer";
import type { Thing } from "./model-server.js";
import { isSame, RebuildingHandler } from "./rebuilding-handler.js";

/** A reader of `changes()` that reads only as much as it is allowed to, and rebuilds the collection. */
export class ReadingCursor {
  readonly rebuilt: RebuildingHandler = new RebuildingHandler("fast", false);
  readonly #changes: AsyncIterableIterator<Change<Thing>>;
  readonly #reading: Promise<void>;
  #credits = 0;
  #more = () => {};
  #isStopped = false;

  constructor(changes: AsyncIterableIterator<Change<Thing>>) {
    this.#changes = changes;
    this.#reading = this.#read();
  }

  /** Allows this many more reads. */
  read(times: number): void {
    this.#credits += times;
    this.#more();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#more();
    await this.#changes.return?.();
    await this.#reading;
  }

  async #read(): Promise<void> {
    for (;;) {
      while (this.#credits === 0 && !this.#isStopped) {
        await new Promise<void>((resolve) => {
          this.#more = resolve;
        });
      }
      this.#credits--;
      const { done, value } = await this.#changes.next();
      if (done) {
        return;
      }
      this.#take(value);
    }
  }

  #take(change: Change<Thing>): void {
    const { handler } = this.rebuilt;
    switch (change.type) {
      case "add":
        handler.add?.(change.object, { initial: false, moved: change.moved === true });
        break;
      case "delete":
        if (!isSame(change.previous, this.rebuilt.known.get(change.object.metadata.name))) {
          this.rebuilt.problems.push("a delete from another state than the delivered one");
        }
        handler.delete?.(change.object, {
          finalStateUnknown: change.finalStateUnknown,
          moved: change.moved === true,
        });
        break;
      default:
        handler[change.type]?.(change.object, change.previous);
    }
  }
}
