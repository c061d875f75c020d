import type { KubeObject, Live } from "@typekube/api";
import { errorFromEvent, initialEventsEndAnnotation, type WatchOptions } from "@typekube/client";
import {
  type Clock,
  isExpired,
  isTooLargeResourceVersion,
  KubeError,
  sleep,
  type WireWatchEvent,
} from "@typekube/core";
import { Backoff } from "./backoff.js";
import type { FollowEvent } from "./follow-event.js";
import { linkAbort } from "./linked-abort.js";
import { type ListMemory, listRound } from "./list-round.js";
import { afterWatchFailure, cannotStream, retriesStreaming } from "./watch-failure.js";
import { WatchGuard } from "./watch-guard.js";
import type { WatchSource } from "./watch-source.js";
import type { WatcherSettings } from "./watcher-options.js";
import type { WatcherState } from "./watcher-state.js";

/**
 * A watch that ends sooner than this without anything new is a failure: something in between cuts it. (client-go counts events; a
 * peer that sends the same bookmark and closes would then be asked again without a pause.)
 */
const veryShortWatchMs = 1_000;
/** Frames in a row that cannot be read before everything is listed again. */
const maxUnreadable = 2;

/**
 * Follows a collection for ever: list, then watch, and whatever it takes to go on after a failure. The states and where each
 * leads stand in `watcher-state.ts`, the decision what a failure calls for in `watch-failure.ts`.
 */
export class Watcher<T extends KubeObject = KubeObject> {
  readonly #source: WatchSource;
  readonly #settings: WatcherSettings;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #backoff: Backoff;
  readonly #listMemory: ListMemory = { alwaysPaged: false };
  #state: WatcherState;
  /** The version up to which everything was delivered; "" before the first picture. */
  #lastVersion = "";
  /** The server said that it does not have this version (any more, or yet). */
  #versionUnavailable = false;
  #canStream: boolean;
  #sawBookmark = false;
  #unreadable = 0;
  /** How often a version was gone without any progress in between. */
  #expiries = 0;

  constructor(source: WatchSource, settings: WatcherSettings, clock: Clock, signal: AbortSignal) {
    this.#source = source;
    this.#settings = settings;
    this.#clock = clock;
    this.#signal = signal;
    this.#backoff = new Backoff(settings.backoff, clock, settings.random);
    this.#canStream = settings.streamingList;
    this.#state = this.#firstLook();
  }

  /** The state it is in now. */
  get state(): WatcherState {
    return this.#state;
  }

  /** Everything that happens, in groups that arrived together, until the signal aborts. Never fails. */
  async *run(): AsyncGenerator<readonly FollowEvent<T>[], void> {
    this.#settings.onState(this.#state);
    while (!this.#signal.aborted && this.#state.name !== "stopped") {
      const state = this.#state;
      try {
        switch (state.name) {
          case "streaming":
            yield* this.#stream(state.resourceVersion);
            break;
          case "listing":
            yield* this.#list(state.resourceVersion);
            break;
          case "watching":
            yield* this.#watch();
            break;
          case "waiting":
            await sleep(this.#clock, state.delayMs, this.#signal);
            this.#enter(state.next);
            break;
          default:
            state satisfies never;
        }
      } catch (error) {
        if (this.#signal.aborted) {
          break;
        }
        yield* this.#recover(KubeError.from(error));
      }
    }
    this.#enter({ name: "stopped" });
  }

  #enter(state: WatcherState): void {
    this.#state = state;
    this.#settings.onState(state);
  }

  /** How to look at everything: by a streaming list where that works, else by listing. */
  #firstLook(): WatcherState {
    const known = this.#versionUnavailable ? "" : this.#lastVersion;
    if (this.#canStream) {
      return { name: "streaming", resourceVersion: known || undefined };
    }
    return { name: "listing", resourceVersion: known || (this.#versionUnavailable ? "" : "0") };
  }

  async *#list(resourceVersion: string): AsyncIterable<readonly FollowEvent<T>[]> {
    const { plural } = await this.#source.descriptor();
    const round = listRound<T>(
      this.#source,
      this.#settings,
      resourceVersion,
      this.#listMemory,
      this.#signal,
    );
    for await (const events of round) {
      const last = events.at(-1);
      if (last?.type === "synced") {
        this.#synced(last.resourceVersion);
      }
      yield events;
    }
    if (this.#state.name === "listing") {
      throw new KubeError("Decode", `the list of ${plural} ended without a version`);
    }
  }

  #synced(resourceVersion: string): void {
    this.#lastVersion = resourceVersion;
    this.#versionUnavailable = false;
    this.#unreadable = 0;
    this.#enter({ name: "watching", resourceVersion });
  }

  /** A streaming list: the same request goes on as the watch. */
  async *#stream(resourceVersion: string | undefined): AsyncIterable<readonly FollowEvent<T>[]> {
    yield* this.#follow({
      resourceVersion,
      sendInitialEvents: true,
      resourceVersionMatch: "NotOlderThan",
    });
  }

  async *#watch(): AsyncIterable<readonly FollowEvent<T>[]> {
    yield* this.#follow({ resourceVersion: this.#lastVersion });
  }

  /** One watch request from its start to its end. */
  async *#follow(
    start: Pick<WatchOptions, "resourceVersion" | "resourceVersionMatch" | "sendInitialEvents">,
  ): AsyncIterable<readonly FollowEvent<T>[]> {
    const {
      labelSelector,
      fieldSelector,
      shardSelector,
      managedFields,
      encoding,
      minWatchMs,
      random,
    } = this.#settings;
    const { kind, plural } = await this.#source.descriptor();
    const lifeMs = minWatchMs * (1 + random());
    const startedAt = this.#clock.now();
    using abort = linkAbort(this.#signal);
    using guard = new WatchGuard(this.#clock, this.#settings, {
      plural,
      lifeMs,
      isStreaming: () => this.#state.name === "streaming",
      seesBookmarks: () => this.#sawBookmark,
      // The server, or something before it, accepts the request and does not do it: list instead, from now on.
      onEndless: () => {
        this.#canStream = false;
      },
      fail: (error) => abort.abort(error),
    });
    const versionBefore = this.#lastVersion;
    const batches = this.#source.watchBatches({
      labelSelector,
      fieldSelector,
      shardSelector,
      managedFields,
      encoding,
      timeoutSeconds: Math.ceil(lifeMs / 1000),
      signal: abort.signal,
      ...start,
    } as WatchOptions);
    for await (const batch of batches) {
      yield* this.#translate(batch, kind);
      guard.heard();
    }
    this.#signal.throwIfAborted();
    if (this.#state.name === "streaming") {
      throw new KubeError(
        "ConnectionClosed",
        `the streaming list of ${plural} ended before its end bookmark`,
      );
    }
    const stoodStill = this.#lastVersion === versionBefore;
    if (stoodStill && this.#clock.now() - startedAt < veryShortWatchMs) {
      throw new KubeError(
        "ConnectionClosed",
        `very short watch: the watch of ${plural} ended within a second without anything new`,
      );
    }
  }

  /** Yields what a batch says; fails on an ERROR, after what came before it. */
  *#translate(batch: readonly WireWatchEvent[], kind: string): Iterable<readonly FollowEvent<T>[]> {
    let events: FollowEvent<T>[] = [];
    for (const event of batch) {
      if (event.type === "ERROR") {
        if (events.length > 0) {
          yield events;
        }
        throw errorFromEvent(event);
      }
      const translated = this.#translateOne(event, kind);
      if (translated !== undefined) {
        events.push(translated);
      }
      // The picture is complete: hand it over before what follows it.
      if (translated?.type === "synced") {
        yield events;
        events = [];
      }
    }
    if (events.length > 0) {
      yield events;
    }
  }

  #translateOne(event: WireWatchEvent, kind: string): FollowEvent<T> | undefined {
    const object = event.object as Live<T> | null;
    const version = object?.metadata?.resourceVersion;
    if (object === null || object.kind !== kind || version === undefined) {
      this.#settings.onError(
        new KubeError(
          "Decode",
          `skipped a ${event.type} of ${object?.kind ?? "nothing"} in the watch of ${kind}`,
        ),
      );
      return undefined;
    }
    const initial = this.#state.name === "streaming";
    switch (event.type) {
      case "ADDED":
      case "MODIFIED":
        if (initial) {
          return { type: "initial", object };
        }
        this.#delivered(version);
        return { type: "applied", object };
      case "DELETED":
        if (!initial) {
          this.#delivered(version);
        }
        return { type: "deleted", object };
      case "BOOKMARK":
        return this.#bookmark(version, object.metadata.annotations);
      default:
        this.#settings.onError(
          new KubeError("Decode", `skipped a watch event of the unknown type ${event.type}`),
        );
        return undefined;
    }
  }

  #bookmark(
    version: string,
    annotations: Readonly<Record<string, string>> | undefined,
  ): FollowEvent<T> | undefined {
    this.#sawBookmark = true;
    if (this.#state.name === "streaming") {
      if (annotations?.[initialEventsEndAnnotation] !== "true") {
        return undefined;
      }
      this.#synced(version);
      return { type: "synced", resourceVersion: version };
    }
    this.#delivered(version);
    return { type: "bookmark", resourceVersion: version };
  }

  #delivered(version: string): void {
    if (version !== this.#lastVersion) {
      this.#expiries = 0;
    }
    this.#lastVersion = version;
    this.#unreadable = 0;
  }

  /** Decides how to go on after a failure, and tells of it. */
  async *#recover(error: KubeError): AsyncIterable<readonly FollowEvent<T>[]> {
    this.#settings.onError(error);
    const failed = this.#state;
    if (failed.name === "watching") {
      yield* this.#recoverWatch(error);
      return;
    }
    // A picture was half delivered, or not at all.
    yield [{ type: "gap", cause: error }];
    if (failed.name === "streaming") {
      const unavailable = isExpired(error) || isTooLargeResourceVersion(error);
      if (unavailable && failed.resourceVersion !== undefined) {
        this.#enter({ name: "streaming", resourceVersion: undefined });
        return;
      }
      this.#canStream &&= !cannotStream(error);
      if (!retriesStreaming(error) && !unavailable) {
        const known = this.#lastVersion || "0";
        // For this round only, unless the server was seen to be unable.
        this.#enter({ name: "listing", resourceVersion: known });
        return;
      }
    }
    this.#versionUnavailable ||= isExpired(error) || isTooLargeResourceVersion(error);
    this.#wait(error, this.#firstLook());
  }

  async *#recoverWatch(error: KubeError): AsyncIterable<readonly FollowEvent<T>[]> {
    let after = afterWatchFailure(error);
    if (error.code === "Decode" && ++this.#unreadable > maxUnreadable) {
      this.#unreadable = 0;
      after = "relist";
    }
    if (after === "rewatch") {
      this.#wait(error, { name: "watching", resourceVersion: this.#lastVersion });
      return;
    }
    this.#versionUnavailable = after === "relistFromNewest";
    yield [{ type: "gap", cause: error }];
    if (isExpired(error) && this.#expiries++ === 0) {
      // Waiting would only let the picture grow older. Once: a server that expires every version is not to be stormed.
      this.#enter(this.#firstLook());
    } else {
      this.#wait(error, this.#firstLook());
    }
  }

  #wait(cause: KubeError, next: WatcherState): void {
    const delayMs = Math.max(this.#backoff.next(), cause.retryAfterMs ?? 0);
    this.#enter({ name: "waiting", cause, delayMs, next });
  }
}
