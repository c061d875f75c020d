import type { KubeObject, Live, ResourceDescriptor } from "@typekube/api";
import type { ClientCore, KindReference, ObjectEvent, UnknownKind } from "@typekube/client";
import { contextOf, errorFromEvent } from "@typekube/client/internal";
import { isExpired, KubeError, resourceVersionOrder } from "@typekube/core";
import { type Clock, linkAbort, monotonicNow, sleep, systemClock } from "@typekube/core/internal";
import { RetryDelay } from "../backoff/retry-delay.js";
import { BookmarkRhythm } from "../guards/bookmark-rhythm.js";
import { ShortWatches } from "../guards/short-watches.js";
import { assertWatching } from "../options/assert-watching.js";
import { ownOptions } from "../options/own-options.js";
import type { WatchFromOptions } from "../options/watch-from-options.js";
import { sourceOf } from "../sources/source-of.js";
import type { WatchSource } from "../sources/watch-source.js";
import { hasNews } from "../versions/has-news.js";
import { isOlderVersion } from "../versions/is-older-version.js";
import { isVersion } from "../versions/is-version.js";
import { ClosedClient } from "../watcher/closed-client.js";
import { guardCallbacks } from "../watcher/guard-callbacks.js";
import { translateEvent } from "../watcher/translate-event.js";
import { watchRequest } from "../watcher/watch-request.js";
import { type WatcherSettings, watcherSettings } from "../watcher/watcher-options.js";
import { endable } from "./endable.js";

/**
 * Consecutive starts that may fail as expired: another server behind the same address may still have the
 * resourceVersion.
 */
const maxExpiredStarts = 3;

/**
 * Returns an async iterable over every change after a resourceVersion, each once and in order, across as many watches
 * as it takes. It never lists, so it ends with an error when a watch can't resume: `Expired` when the server no longer
 * has the resourceVersion, `Forbidden` and `Unauthorized`, `BadRequest` and `Invalid`, `Closed` when the client was
 * closed. Any other failure goes to `onError` and is retried. Since nothing may be left out, the server is read at the
 * reader's pace: a reader that stands still for long is cut off, and resumes from its resourceVersion. (client-go's
 * RetryWatcher)
 *
 * @throws {KubeError} `InvalidArgument` without a resourceVersion from a server.
 *
 * @example
 * ```ts
 * const { resourceVersion = "" } = (await client.resource(Pod).list()).metadata;
 * for await (const { type, object } of watchFrom(client, Pod, { resourceVersion })) {
 *   console.log(type, object.metadata.name);
 * }
 * ```
 */
export function watchFrom<T extends KubeObject = UnknownKind>(
  client: ClientCore,
  type: KindReference | ResourceDescriptor<T>,
  options: WatchFromOptions,
): AsyncIterable<ObjectEvent<T>> {
  assertWatching("watchFrom", type, options);
  return watchSourceFrom(sourceOf(client, type, options), options, contextOf(client).clock);
}

/** {@link watchFrom} for any source that watches. */
export function watchSourceFrom<T extends KubeObject>(
  source: WatchSource,
  options: WatchFromOptions,
  clock: Clock = systemClock,
): AsyncIterable<ObjectEvent<T>> {
  const { resourceVersion } = options;
  if (typeof resourceVersion !== "string" || !isVersion(resourceVersion)) {
    throw new KubeError(
      "InvalidArgument",
      `a watch cannot start from resourceVersion "${resourceVersion}"`,
      {
        hint: "use metadata.resourceVersion of a list or an object",
      },
    );
  }
  const own = ownOptions(options);
  return endable(options.signal, (signal, fail) => {
    const settings = watcherSettings(guardCallbacks(own, fail));
    const run = new VersionedWatch<T>(source, settings, clock, signal);
    return run.events(resourceVersion);
  });
}

/** One iteration of {@link watchFrom}. */
class VersionedWatch<T extends KubeObject> {
  readonly #source: WatchSource;
  readonly #settings: WatcherSettings;
  readonly #clock: Clock;
  #signal: AbortSignal;
  readonly #retryDelay: RetryDelay;
  readonly #shortWatches = new ShortWatches();
  readonly #rhythm: BookmarkRhythm;
  readonly #client = new ClosedClient();
  #version = "";
  #expiredStarts = 0;
  /** `true` when the failed watch got a response before it was cut: the next one starts without a wait. */
  #resumesAtOnce = false;

  constructor(source: WatchSource, settings: WatcherSettings, clock: Clock, signal: AbortSignal) {
    this.#source = source;
    this.#settings = settings;
    this.#clock = clock;
    this.#signal = signal;
    this.#retryDelay = new RetryDelay(settings, clock);
    this.#rhythm = new BookmarkRhythm(settings.idleMs);
  }

  async *events(version: string): AsyncGenerator<ObjectEvent<T>, void> {
    this.#version = version;
    const given = this.#signal;
    using open = linkAbort(given, this.#source.closed);
    this.#signal = open.signal;
    yield* this.#watches();
    if (!given.aborted) {
      open.signal.throwIfAborted();
    }
  }

  /** Runs one watch after the other, until the signal aborts. */
  async *#watches(): AsyncGenerator<ObjectEvent<T>, void> {
    while (!this.#signal.aborted) {
      try {
        yield* this.#watchOnce();
        this.#client.received();
        this.#settings.onRestart("Ended");
      } catch (caught) {
        if (this.#signal.aborted) {
          return;
        }
        const error = KubeError.from(caught);
        if (this.#isFinal(error)) {
          throw error;
        }
        if (!this.#shortWatches.isRepeated(error)) {
          this.#settings.onError(error);
        }
        this.#settings.onRestart(error.code);
        if (this.#resumesAtOnce) {
          this.#resumesAtOnce = false;
          this.#retryDelay.reset();
          continue;
        }
        try {
          await sleep(this.#clock, this.#retryDelay.after(error), this.#signal);
        } catch {
          return;
        }
      }
    }
  }

  async *#watchOnce(): AsyncGenerator<ObjectEvent<T>, void> {
    const { kind, plural } = await this.#source.descriptor({ signal: this.#signal });
    const startedAt = monotonicNow(this.#clock);
    const lastedMs = () => monotonicNow(this.#clock) - startedAt;
    const versionBefore = this.#version;
    const stoodStill = () => this.#version === versionBefore;
    let hasResponse = false;
    const onResponse = () => {
      hasResponse = true;
    };
    try {
      yield* this.#eventsOf(kind, plural, onResponse);
    } catch (error) {
      this.#resumesAtOnce = this.#shortWatches.failed(
        error,
        hasResponse,
        lastedMs(),
        !stoodStill(),
      );
      throw error;
    }
    this.#shortWatches.ended(plural, lastedMs(), !stoodStill());
    this.#retryDelay.reset();
  }

  /** Yields the events of one watch request, from its start to its end. */
  async *#eventsOf(
    kind: string,
    plural: string,
    onResponse: () => void,
  ): AsyncGenerator<ObjectEvent<T>, void> {
    const start = { resourceVersion: this.#version };
    const batches = watchRequest(this.#source, this.#settings, this.#clock, this.#signal, start, {
      plural,
      isStreaming: () => false,
      isNews: (batch) => hasNews(batch, this.#version),
      rhythm: this.#rhythm,
      onResponse: onResponse,
      onEndless: () => {},
      onSilent: () => {},
    });
    for await (const batch of batches) {
      this.#client.received();
      for (const event of batch) {
        if (event.type === "ERROR") {
          const error = errorFromEvent(event);
          if (isExpired(error)) {
            // This server has checked the resourceVersion: its verdict will not change.
            this.#expiredStarts = maxExpiredStarts;
          }
          throw error;
        }
        const translated = translateEvent<T>(event, kind, false);
        if (translated?.type === "skipped") {
          this.#settings.onError(translated.cause);
          continue;
        }
        const object = event.object as Live<T>;
        const { resourceVersion } = object.metadata;
        if (event.type === "BOOKMARK") {
          if (isOlderVersion(resourceVersion, this.#version)) {
            this.#rhythm.begin();
          } else {
            this.#rhythm.beat();
          }
        }
        const isNews = this.#moveTo(resourceVersion);
        if (isNews && event.type !== "BOOKMARK") {
          yield { type: event.type as ObjectEvent["type"], object };
        }
      }
    }
  }

  /** Advances the resourceVersion. Returns false for one that was passed already: a resumed watch may repeat events. */
  #moveTo(version: string): boolean {
    if (!isVersion(version)) {
      return true;
    }
    const order = resourceVersionOrder(version, this.#version);
    const isNews = order === undefined ? version !== this.#version : order > 0;
    if (isNews) {
      this.#version = version;
      this.#expiredStarts = 0;
    }
    return isNews;
  }

  #isFinal(error: KubeError): boolean {
    if (this.#client.confirms(error)) {
      return true;
    }
    if (isExpired(error)) {
      return ++this.#expiredStarts > maxExpiredStarts;
    }
    return ["Forbidden", "Unauthorized", "BadRequest", "Invalid", "InvalidArgument"].includes(
      error.code,
    );
  }
}
