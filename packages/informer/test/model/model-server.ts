import { createHash } from "node:crypto";
import type { KubeObject, Live } from "@typekube/api";
import type { ListOptions, WatchOptions } from "@typekube/client";
import { KubeError } from "@typekube/core";
import type { ListPart, WireWatchEvent } from "@typekube/core/internal";
import type { WatchSource } from "@typekube/informer/internal";
import { bookmark, errorEvent, failure, status } from "../wire-events.js";
import type { Fault } from "./model-plan.js";

/** An object of the model: a value, a large part that transforms drop, and labels for the selector. */
export interface Thing extends KubeObject {
  data?: { value: number; large?: string };
}

/** One resourceVersion of the history: the old and the new object. */
interface Write {
  readonly key: string;
  readonly before: Live<Thing> | undefined;
  readonly after: Live<Thing> | undefined;
}

/**
 * A minimal server. Its history is a list, and the state at a resourceVersion results from the writes up to there.
 * Watches, and lists that may be stale, see the history up to {@link visible}.
 */
export class ModelServer implements WatchSource {
  readonly history: Write[] = [];
  /** The resourceVersion up to which watches see the history; `deliver` advances it. */
  visible = 0;
  /** `true` to send snapshots in two halves with a pause between them. */
  isSlow = false;
  readonly faults: Fault[] = [];
  #forgotten = 0;
  #tokens = 0;
  #bookmarks = 0;
  #wake = new Set<() => void>();
  readonly #isChosen: (object: Live<Thing>) => boolean;

  constructor(isChosen: (object: Live<Thing>) => boolean) {
    this.#isChosen = isChosen;
  }

  get version(): number {
    return this.history.length;
  }

  async descriptor() {
    return { kind: "Thing", plural: "things" };
  }

  /** Writes or deletes an object; returns its new state. */
  write(name: string, value: number | undefined): Live<Thing> | undefined {
    const key = `default/${name}`;
    const before = this.stateAt(this.version).get(key);
    if (value === undefined && before === undefined) {
      return undefined;
    }
    const version = this.version + 1;
    const uid =
      before?.metadata.uid ??
      createHash("md5")
        .update(key + version)
        .digest("hex");
    const metadata = {
      name,
      namespace: "default",
      uid,
      resourceVersion: String(version),
      creationTimestamp: "2026-01-01T00:00:00Z",
      labels: { chosen: String((value ?? 0) % 4 !== 3), tier: `t${(value ?? 0) % 3}` },
    };
    const after =
      value === undefined
        ? undefined
        : ({
            kind: "Thing",
            apiVersion: "v1",
            metadata,
            data: { value, large: "x".repeat(9) },
          } as Live<Thing>);
    this.history.push({ key, before, after });
    return after && structuredClone(after);
  }

  /** Returns every object at a resourceVersion, selected or not. */
  stateAt(version: number): Map<string, Live<Thing>> {
    const state = new Map<string, Live<Thing>>();
    for (const { key, after } of this.history.slice(0, version)) {
      state.delete(key);
      if (after !== undefined) {
        state.set(key, after);
      }
    }
    return state;
  }

  /** Returns the selected objects at a resourceVersion. */
  chosenAt(version: number): Live<Thing>[] {
    return [...this.stateAt(version).values()].filter(this.#isChosen);
  }

  /** Delivers all new events to the watches, as one group for each. */
  deliver(): void {
    this.visible = this.version;
    this.#wakeAll();
  }

  /** Sends a bookmark to all watches. */
  bookmark(): void {
    this.#bookmarks++;
    this.#wakeAll();
  }

  /** Causes a failure: at once on an open watch, otherwise with the next request. */
  strike(fault: Fault): void {
    if (fault.withNews) {
      // The new events are not delivered yet: they arrive in one group with the failure.
      this.visible = this.version;
    }
    this.faults.push(fault);
    this.#wakeAll();
  }

  /** Drops the history, and with it all page tokens. */
  compact(): void {
    this.#forgotten = this.visible;
    this.#tokens++;
  }

  async *listParts({
    resourceVersion = "",
    limit,
    continue: token,
    signal,
  }: ListOptions): AsyncIterable<ListPart> {
    this.#failAtStart();
    let [version, from] = [resourceVersion === "" ? this.version : this.visible, 0];
    if (token !== undefined) {
      const [tokens, at = 0, offset = 0] = token.split("-").map(Number);
      if (tokens !== this.#tokens) {
        throw failure(410, "Expired");
      }
      [version, from] = [at, offset];
    } else if (Number(resourceVersion) > this.visible) {
      throw tooLarge(Number(resourceVersion), this.visible);
    }
    const all = this.chosenAt(version);
    const end = limit ? Math.min(from + limit, all.length) : all.length;
    const next = end < all.length ? `${this.#tokens}-${version}-${end}` : undefined;
    const items = structuredClone(all.slice(from, end));
    const head = { apiVersion: "v1", kind: "ThingList" };
    const half = this.isSlow ? items.length >> 1 : 0;
    if (half > 0) {
      yield { ...head, metadata: undefined, items: items.slice(0, half) } as unknown as ListPart;
      await this.#moment(signal);
      this.#failAtStart();
    }
    const metadata = { resourceVersion: String(version), continue: next };
    yield { ...head, metadata, items: items.slice(half) } as ListPart;
  }

  async *watchBatches(options: WatchOptions): AsyncIterable<readonly WireWatchEvent[]> {
    this.#failAtStart();
    const signal = options.signal as AbortSignal;
    let at = Number(options.resourceVersion ?? 0);
    if (options.sendInitialEvents) {
      if (at > this.visible) {
        yield [errorEvent(tooLargeStatus(at, this.visible))];
        return;
      }
      if (options.resourceVersion === undefined) {
        this.visible = this.version;
      }
      at = this.visible;
      const initial = this.chosenAt(at).map((object) => event("ADDED", object));
      const half = this.isSlow ? initial.length >> 1 : 0;
      if (half > 0) {
        yield initial.slice(0, half);
        await this.#moment(signal);
        this.#failAtStart();
      }
      const meanwhile = this.#news(at);
      at = this.visible;
      yield [...initial.slice(half), ...meanwhile, endBookmark(at)];
    } else if (at < this.#forgotten) {
      yield [errorEvent(status(410, "Expired"))];
      return;
    }
    for (let received = this.#bookmarks; ; ) {
      if (received < this.#bookmarks) {
        received = this.#bookmarks;
        const news = this.#news(at);
        at = Math.max(at, this.visible);
        yield [...news, thingBookmark(at)];
      }
      const fault = this.faults.shift();
      if (fault !== undefined) {
        const events = fault.withNews ? this.#news(at) : [];
        if (fault.kind === "bookmark") {
          const news = this.#news(at);
          at = Math.max(at, this.visible);
          yield [...news, thingBookmark(at)];
          continue;
        }
        if (fault.kind === "repeat") {
          yield this.#news(Math.max(0, at - 3), at);
          continue;
        }
        if (fault.kind === "hang") {
          await this.#never(signal);
        }
        const last = lastWords[fault.kind];
        if (last !== undefined) {
          yield [...events, errorEvent(last)];
          return;
        }
        if (events.length > 0) {
          yield events;
        }
        if (fault.kind !== "end") {
          throw failureOf(fault);
        }
        return;
      }
      const news = this.#news(at);
      at = Math.max(at, this.visible);
      if (news.length > 0) {
        yield news;
      } else {
        await this.#moment(signal);
      }
    }
  }

  /** Returns the visible events after a resourceVersion, as a watch with the selector sends them. */
  #news(since: number, until: number = this.visible): WireWatchEvent[] {
    const events: WireWatchEvent[] = [];
    for (let at = since; at < until; at++) {
      const { before, after } = this.history[at] as Write;
      const was = before !== undefined && this.#isChosen(before);
      const is = after !== undefined && this.#isChosen(after);
      if (is) {
        events.push(event(was ? "MODIFIED" : "ADDED", after));
      } else if (was) {
        // A deletion has the resourceVersion of its own write, even when the object only left the selector.
        const metadata = { ...before.metadata, resourceVersion: String(at + 1) };
        events.push(event("DELETED", { ...before, metadata }));
      }
    }
    return events;
  }

  #failAtStart(): void {
    const fault = this.faults[0];
    if (fault !== undefined && !["bookmark", "hang", "repeat"].includes(fault.kind)) {
      this.faults.shift();
      throw failureOf(fault);
    }
  }

  async #moment(signal: AbortSignal | undefined): Promise<void> {
    let wake = () => {};
    let onAbort = () => {};
    try {
      await new Promise<void>((resolve, reject) => {
        wake = resolve;
        this.#wake.add(wake);
        onAbort = () => reject(signal?.reason);
        signal?.addEventListener("abort", onAbort, { once: true });
        if (signal?.aborted) {
          onAbort();
        }
      });
    } finally {
      this.#wake.delete(wake);
      signal?.removeEventListener("abort", onAbort);
    }
  }

  async #never(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  }

  #wakeAll(): void {
    for (const wake of [...this.#wake]) {
      wake();
    }
  }
}

/** Final ERROR event of an open watch, by failure. */
const lastWords: Readonly<Partial<Record<Fault["kind"], ReturnType<typeof status>>>> = {
  busy: status(429, "TooManyRequests"),
  expired: status(410, "Expired"),
  internal: status(500, "InternalError"),
};

function event(type: string, object: KubeObject): WireWatchEvent {
  return { type, object: structuredClone(object) } as WireWatchEvent;
}

function thingBookmark(version: number): WireWatchEvent {
  const { object } = bookmark(version);
  return { type: "BOOKMARK", object: { ...(object as object), kind: "Thing" } } as WireWatchEvent;
}

function endBookmark(version: number): WireWatchEvent {
  const { object } = bookmark(version, "true");
  return { type: "BOOKMARK", object: { ...(object as object), kind: "Thing" } } as WireWatchEvent;
}

function failureOf({ kind }: Fault): KubeError {
  switch (kind) {
    case "expired":
      return failure(410, "Expired");
    case "internal":
      return failure(500, "InternalError");
    case "busy":
      return failure(429, "TooManyRequests");
    case "garbage":
      return new KubeError("Decode", "no JSON");
    case "gone":
      return failure(404, "NotFound");
    default:
      return new KubeError("ConnectionReset", "the connection was reset");
  }
}

const tooLargeStatus = (requested: number, current: number) =>
  status(504, "Timeout", `Timeout: Too large resource version: ${requested}, current: ${current}`);

const tooLarge = (requested: number, current: number) =>
  failure(504, "Timeout", tooLargeStatus(requested, current).message);
