import { isDeepStrictEqual } from "node:util";
import type { Live } from "@typekube/api";
import { compareResourceVersions, isComparableResourceVersion } from "@typekube/core";
import type { HandlerHandle, Informer } from "typekube";
import { ConfigMap } from "typekube/api/core/v1";
import { differenceInOrder, differenceWithGaps } from "./event-log.js";
import { type FollowerName, followerNames } from "./faults/fault.js";
import { Tally } from "./faults/tally.js";
import { GapLog } from "./gap-log.js";
import { randomFrom } from "./random.js";
import { RebuiltState, type Seen } from "./rebuilt-state.js";
import type { StormPlan } from "./storm-plan.js";
import type { Way } from "./subject.js";
import { namespace } from "./writer.js";

/** Pages of a list of the objects there are at the start: tokens that can expire. */
const pages = 4;

/** An informer in a storm, with the handler that rebuilds its state. */
export class Follower implements AsyncDisposable {
  readonly name: FollowerName;
  readonly way: Way;
  readonly informer: Informer<ConfigMap>;
  readonly rebuilt = new RebuiltState();
  /** Errors that it told, by code. */
  readonly errors = new Tally();
  /** Events that the handler was told. */
  events = 0;
  /** Intervals between quiet points in which every single step was told, in order: nothing was listed anew. */
  inOrder = 0;
  #version = "";
  #setBacks: string[] = [];
  #disorders = 0;
  readonly #gaps = new GapLog();
  readonly #handle: HandlerHandle;
  #disturbances = 0;
  #wasFollowing = false;

  constructor(name: FollowerName, way: Way, { seed, objects }: StormPlan) {
    this.name = name;
    this.way = way;
    const reached = () => this.informer?.resourceVersion ?? "";
    this.informer = way.client.informer(ConfigMap, {
      namespace,
      streamingList: name === "streaming",
      encoding: name === "streaming" ? "json" : "auto",
      indexes: { write: valuesOf },
      random: randomFrom(seed + followerNames.indexOf(name)),
      ...(name === "listing" ? { pageSize: Math.max(1, Math.floor(objects / pages)) } : {}),
      ...way.informerOptions,
      onError: ({ code }) => this.errors.add(code),
      // It begins before there is an informer to ask.
      onState: (state) => this.#gaps.entered(state, reached()),
    });
    this.#handle = this.informer.onChange(this.rebuilt.handler);
    way.onWatch((from) => this.#noteWatch(from));
  }

  /** Whether everything that was there at the start was told. */
  get hasBegun(): boolean {
    return this.informer.isSynced && this.#handle.queued === 0;
  }

  /** Whether the cache shows at least this version, and the handler was told of all that it shows. */
  hasReached(version: string): boolean {
    const { resourceVersion } = this.informer;
    return (
      this.#handle.queued === 0 &&
      isComparableResourceVersion(resourceVersion) &&
      compareResourceVersions(resourceVersion, version) >= 0
    );
  }

  /** What is wrong at any time: what was reached, or told, is never behind. */
  look(): string[] {
    const { resourceVersion } = this.informer;
    const problems = this.#setBacks.splice(0);
    for (const before of [this.#version, this.rebuilt.newest]) {
      if (isOlder(resourceVersion, before)) {
        problems.push(`${this.name}: is at ${resourceVersion} after ${before}`);
      }
    }
    this.#version = resourceVersion;
    return problems;
  }

  /** Who watches from before what was told is told it again, and has a version that is gone sooner. */
  #noteWatch(from: string): void {
    if (isOlder(from, this.rebuilt.newest)) {
      this.#setBacks.push(`${this.name}: watches from ${from} after ${this.rebuilt.newest}`);
    }
  }

  /** What is wrong at a quiet point: the cache, what the handler rebuilt, and how it came to it. */
  check(truth: ReadonlyMap<string, Live<ConfigMap>>, written: readonly Seen[]): string[] {
    const disorders = this.#takeDisorders();
    const isUndisturbed = !this.#wasDisturbed();
    const gaps = this.#gaps.take();
    const seen = this.rebuilt.takeSeen();
    this.events += seen.length;
    this.inOrder += isUndisturbed ? 1 : 0;
    const cached = new Map(this.informer.list().map((object) => [object.metadata.name, object]));
    const difference = isUndisturbed
      ? differenceInOrder(written, seen)
      : differenceWithGaps(written, seen, gaps, disorders);
    const problems = [
      ...this.rebuilt.takeProblems(),
      ...differences("the cache", cached, truth),
      ...differences("what the handler rebuilt", this.rebuilt.objects, truth),
      ...indexDifferences(this.informer, truth),
      ...(difference === undefined ? [] : [difference]),
    ];
    return problems.map((problem) => `${this.name}: ${problem}`);
  }

  #takeDisorders(): number {
    const before = this.#disorders;
    this.#disorders = this.way.requests.of("disorders");
    return this.#disorders - before;
  }

  /** Forgets what the first picture told: those objects were there before. */
  begin(): string[] {
    this.#wasDisturbed();
    this.events += this.rebuilt.takeSeen().length;
    this.#gaps.take();
    this.rebuilt.begin();
    return this.rebuilt.takeProblems();
  }

  /**
   * Whether, since the last call, everything was listed anew or the server told things in the wrong order. A list that had begun
   * before ends in the time after it.
   */
  #wasDisturbed(): boolean {
    const { requests } = this.way;
    const before = this.#disturbances;
    const wasFollowing = this.#wasFollowing;
    this.#disturbances = requests.of("pictures") + requests.of("disorders");
    this.#wasFollowing = this.informer.health.state === "watching";
    return this.#disturbances !== before || !wasFollowing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.informer.close();
    await this.way.client.close();
  }
}

function isOlder(version: string, than: string): boolean {
  return than !== "" && compareResourceVersions(version, than) < 0;
}

/** Few values, each of many objects, one that an object has by its last write and one that it keeps. */
function valuesOf({ metadata, data }: Live<ConfigMap>): string[] {
  return [`write ${Number(data?.["write"]) % 7}`, `name ${metadata.name.length}`];
}

function indexDifferences(
  informer: Informer<ConfigMap>,
  truth: ReadonlyMap<string, Live<ConfigMap>>,
): string[] {
  const due = new Map<string, string[]>();
  for (const object of truth.values()) {
    for (const value of valuesOf(object)) {
      due.set(value, [...(due.get(value) ?? []), object.metadata.name]);
    }
  }
  const values = new Set([...due.keys(), ...informer.indexValues("write")]);
  return [...values].flatMap((value) => {
    const has = (informer.by["write"]?.(value) ?? []).map(({ metadata }) => metadata.name);
    return isDeepStrictEqual(has.sort(), (due.get(value) ?? []).sort())
      ? []
      : [
          `the index has ${has.length} objects under "${value}", not ${due.get(value)?.length ?? 0}`,
        ];
  });
}

function differences(
  what: string,
  has: ReadonlyMap<string, Live<ConfigMap>>,
  truth: ReadonlyMap<string, Live<ConfigMap>>,
): string[] {
  const problems: string[] = [];
  for (const [name, object] of truth) {
    if (!isDeepStrictEqual(has.get(name), object)) {
      const version = has.get(name)?.metadata.resourceVersion ?? "nothing";
      problems.push(
        `${what} has ${version} of ${name}, the server ${object.metadata.resourceVersion}`,
      );
    }
  }
  for (const name of has.keys()) {
    if (!truth.has(name)) {
      problems.push(`${what} has ${name}, which the server has not`);
    }
  }
  return problems;
}
