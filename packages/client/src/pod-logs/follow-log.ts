import type { Live } from "@typekube/api";
import type { Pod } from "@typekube/api/core/v1";
import { isForbidden, isNotFound } from "@typekube/core";
import { type Random, sleep } from "@typekube/core/internal";
import { callOptionsOf } from "../options/call-options-of.js";
import type { Query } from "../request/query.js";
import { type ContainerInstance, containerInstance } from "./container-instance.js";
import { isCutOff, isOfPodState } from "./log-failure.js";
import type { LogView } from "./log-view.js";
import { type LogReading, openReading, readBody } from "./read-log.js";
import { ResumeDelay } from "./resume-delay.js";

/** Milliseconds that the status of a pod gets to say that a container ended whose log did. */
const statusLagMs = 1_000;

/** Consecutive refusals after which a log is abandoned. */
const maxRefusals = 5;

/** A log that is followed. */
export interface LogFollowing<T> extends LogReading<T> {
  readonly view: LogView<T>;
  /** The pod at the start; `undefined` without permission to read it. */
  readonly pod: Live<Pod> | undefined;
  /** Query of the first request. */
  readonly query: Query;
  readonly random: Random;
}

type Next = "ended" | "gone" | "restarted" | "resume";

/** Follows one container: resumes after cuts, and goes on with later instances. */
export class LogFollower<T> {
  readonly #following: LogFollowing<T>;
  readonly #delay: ResumeDelay;
  #instance: ContainerInstance | undefined;
  #refusals = 0;

  constructor(following: LogFollowing<T>) {
    this.#following = following;
    this.#delay = new ResumeDelay(following.random);
    this.#instance = this.#instanceOf(following.pod);
  }

  async *batches(): AsyncGenerator<readonly T[], void, undefined> {
    const { decoder, query, options } = this.#following;
    let response = await openReading(this.#following, query);
    for (;;) {
      let cut: unknown;
      try {
        yield* this.#read(response);
      } catch (error) {
        cut = this.#asCut(error);
      }
      for (;;) {
        if (decoder.isDone) {
          return;
        }
        const before = this.#instance;
        const next = await this.#next(cut);
        if (next === "ended" || next === "gone") {
          yield decoder.flush();
          yield this.#gapAtEnd(next, cut);
          return;
        }
        if (next === "restarted") {
          yield* this.#endOfInstance(before, cut);
          if (options.restarts !== "follow" || decoder.isDone) {
            return;
          }
          yield* this.#betweenInstances(before);
        }
        const isUntimed = next === "resume" && decoder.isUntimed;
        if (isUntimed) {
          yield decoder.flush();
        }
        try {
          response = await openReading(this.#following, this.#resumeQuery(next, cut));
          if (isUntimed) {
            yield this.#gap("the server writes no times into its log");
          }
          break;
        } catch (error) {
          cut = this.#asCut(error);
        }
      }
    }
  }

  async *#read(
    response: Parameters<typeof readBody>[1],
  ): AsyncGenerator<readonly T[], void, undefined> {
    for await (const items of readBody(this.#following, response)) {
      this.#delay.reset();
      this.#refusals = 0;
      yield items;
    }
  }

  /** Returns an error after which the log is resumed, and throws others. */
  #asCut(error: unknown): unknown {
    this.#following.signal.throwIfAborted();
    if (isCutOff(error)) {
      return error;
    }
    if (isOfPodState(error) && this.#refusals < maxRefusals) {
      this.#refusals += 1;
      return error;
    }
    throw error;
  }

  /** Decides how to go on after the log ended, with an error or without. Waits for the next instance if one will run. */
  async #next(cut: unknown): Promise<Next> {
    const { options } = this.#following;
    let hasWaited = false;
    if (cut !== undefined) {
      // Another pod may have taken the name when the delay is over, so the pod is read after it.
      await this.#wait();
    }
    for (;;) {
      const pod = await this.#readPod();
      if (pod === "gone") {
        return "gone";
      }
      const now = pod === undefined ? undefined : this.#instanceOf(pod);
      if (now === undefined) {
        // Nothing says whether the container ended, so the end of the log does.
        return cut === undefined ? "ended" : "resume";
      }
      const before = this.#instance;
      if (before !== undefined && now.restarts > before.restarts) {
        this.#instance = now;
        return "restarted";
      }
      this.#instance ??= now;
      if (cut !== undefined || (now.isRunning && hasWaited)) {
        return "resume";
      }
      if (!now.isRunning && !(options.restarts === "follow" && now.runsAgain)) {
        return "ended";
      }
      await this.#wait(now.isRunning ? statusLagMs : 0);
      hasWaited = now.isRunning;
    }
  }

  /** Waits before the next attempt, for the given milliseconds at least. */
  async #wait(atLeastMs = 0): Promise<void> {
    const { target, signal } = this.#following;
    const ms = atLeastMs + this.#delay.next();
    if (ms > 0) {
      await sleep(target.context.clock, ms, signal);
    }
  }

  /** Reads the pod. Waits while the server cannot be reached. */
  async #readPod(): Promise<Live<Pod> | "gone" | undefined> {
    const { target, options, signal, pod } = this.#following;
    for (;;) {
      try {
        const read = await target.get({ ...callOptionsOf(options), signal });
        const isOther = pod !== undefined && read.metadata.uid !== pod.metadata.uid;
        return isOther ? "gone" : read;
      } catch (error) {
        signal.throwIfAborted();
        if (isForbidden(error)) {
          return undefined;
        }
        if (isNotFound(error)) {
          return "gone";
        }
        if (!isCutOff(error)) {
          throw error;
        }
        await sleep(target.context.clock, this.#delay.next(), signal);
      }
    }
  }

  #instanceOf(pod: Live<Pod> | undefined): ContainerInstance | undefined {
    const { container } = this.#following;
    return pod === undefined || container === undefined
      ? undefined
      : containerInstance(pod, container);
  }

  /** Returns the query that continues at the last line, or reads the log of the next instance. */
  #resumeQuery(next: Next, cut: unknown): Query {
    const { decoder, query } = this.#following;
    const { position } = decoder;
    const { tailLines, sinceSeconds, sinceTime, ...rest } = query;
    if (next === "restarted") {
      decoder.restart();
      return rest;
    }
    const reason = `the log was cut off${cut instanceof Error ? ` (${cut.message})` : ""}`;
    if (position.sinceTime !== undefined) {
      decoder.resume(reason);
      return { ...rest, sinceTime: position.sinceTime };
    }
    if (decoder.isUntimed) {
      decoder.resume(reason);
      return { ...rest, tailLines: 0 };
    }
    // Without a line there is no time of the node's; the last lines, or seconds, may be others by now.
    decoder.resume(reason, tailLines !== undefined || sinceSeconds !== undefined);
    return query;
  }

  /** Yields the rest of an instance that ended while nothing was connected to its log. */
  async *#endOfInstance(
    before: ContainerInstance | undefined,
    cut: unknown,
  ): AsyncGenerator<readonly T[], void, undefined> {
    const { decoder } = this.#following;
    if (cut === undefined) {
      yield decoder.flush();
    }
    const isPrevious = this.#instance?.restarts === (before?.restarts ?? 0) + 1;
    const { follow: _, ...query } = this.#resumeQuery("resume", cut);
    const isRead = isPrevious && (yield* this.#readPrevious(query));
    yield decoder.flush();
    if (!isRead && cut !== undefined) {
      yield this.#gap("the container restarted while its log was cut off");
    }
  }

  /** Yields the marks of restarts, and the log of an instance that ran between two connections. */
  async *#betweenInstances(
    before: ContainerInstance | undefined,
  ): AsyncGenerator<readonly T[], void, undefined> {
    const { decoder, view } = this.#following;
    const { restarts = 0, ended } = this.#instance ?? {};
    const missed = restarts - (before?.restarts ?? 0) - 1;
    if (missed > 0) {
      const mark = { type: "restart", restartCount: restarts - 1 } as const;
      yield this.#items(view.mark({ ...mark, exitCode: undefined, reason: undefined }));
      if (missed > 1) {
        yield this.#gap(`${missed - 1} instances of the container ended meanwhile`);
      }
      const { follow: _, ...query } = this.#resumeQuery("restarted", undefined);
      if (!(yield* this.#readPrevious(query))) {
        yield this.#gap("the log of an instance of the container is gone");
      }
      yield decoder.flush();
    }
    const { exitCode, reason } = ended ?? {};
    yield this.#items(view.mark({ type: "restart", restartCount: restarts, exitCode, reason }));
  }

  /** Yields the log of the previous instance, and returns whether there was one. */
  async *#readPrevious(query: Query): AsyncGenerator<readonly T[], boolean, undefined> {
    try {
      yield* this.#read(await openReading(this.#following, { ...query, previous: true }));
      return true;
    } catch (error) {
      this.#following.signal.throwIfAborted();
      if (isCutOff(error) || isOfPodState(error)) {
        return false;
      }
      throw error;
    }
  }

  #gapAtEnd(next: Next, cut: unknown): readonly T[] {
    const isCut = next === "gone" && cut !== undefined;
    return isCut ? this.#gap("the log was cut off, and the pod is gone") : [];
  }

  #gap(reason: string): readonly T[] {
    const { decoder, view } = this.#following;
    return this.#items(view.mark({ type: "gap", after: decoder.position.time, reason }));
  }

  #items(item: T | undefined): readonly T[] {
    return item === undefined ? [] : [item];
  }
}
