import { setImmediate } from "node:timers/promises";
import { type FollowerName, followerNames } from "./faults/fault.js";
import { Follower } from "./follower.js";
import { HeapWatch } from "./heap-watch.js";
import type { Disaster, StormPlan, StormStep } from "./storm-plan.js";
import type { StormReport } from "./storm-report.js";
import type { StormSubject } from "./subject.js";
import { Writer } from "./writer.js";

/** Result of a storm: its counts, and the first failure. */
export interface StormResult {
  readonly report: StormReport;
  readonly failure: StormFailure | undefined;
}

/** Problems, and the step of the plan that found them. */
export interface StormFailure {
  readonly step: number;
  readonly problems: readonly string[];
  /** `true` when the problem belongs to the whole storm, not to a step. */
  readonly isOfAll?: boolean;
}

/**
 * Runs a plan on a subject and closes the subject. Stops at the first failure.
 *
 * @param onStep - called with the number of completed steps.
 */
export async function runStorm(
  plan: StormPlan,
  subject: StormSubject,
  onStep: (done: number) => void = () => {},
): Promise<StormResult> {
  const rejections: unknown[] = [];
  const onRejection = (reason: unknown) => rejections.push(reason);
  process.on("unhandledRejection", onRejection);
  const rejected = () => rejections.splice(0).map((reason) => `unhandled rejection: ${reason}`);
  try {
    const result = await runAndClose(plan, subject, rejected, onStep);
    // Rejections at the end are reported a moment later.
    await setImmediate();
    const late = rejected();
    return result.failure !== undefined || late.length === 0
      ? result
      : { ...result, failure: atEnd(plan, ...late) };
  } finally {
    process.off("unhandledRejection", onRejection);
  }
}

/** Runs a plan and closes its subject. */
async function runAndClose(
  plan: StormPlan,
  subject: StormSubject,
  rejected: () => string[],
  onStep: (done: number) => void,
): Promise<StormResult> {
  await using open = subject;
  const { report, failure } = await runAndLeave(plan, open, rejected, onStep);
  return failure === undefined && open.timers
    ? { report, failure: atEnd(plan, `${open.timers} timers were left behind`) }
    : { report, failure };
}

/** Runs a plan and closes its informers. */
async function runAndLeave(
  plan: StormPlan,
  subject: StormSubject,
  rejected: () => string[],
  onStep: (done: number) => void,
): Promise<StormResult> {
  await using storm = await Storm.begin(plan, subject);
  const failure = await storm.run(rejected, onStep);
  return { report: storm.report(), failure };
}

function atEnd({ steps }: StormPlan, ...problems: string[]): StormFailure {
  return { step: steps.length, problems };
}

class Storm implements AsyncDisposable {
  readonly #plan: StormPlan;
  readonly #subject: StormSubject;
  readonly #writer: Writer;
  readonly #followers: Readonly<Record<FollowerName, Follower>>;
  readonly #heap = new HeapWatch();
  #quiets = 0;

  private constructor(plan: StormPlan, subject: StormSubject, writer: Writer) {
    this.#plan = plan;
    this.#subject = subject;
    this.#writer = writer;
    const { streaming, listing } = subject.ways;
    this.#followers = {
      streaming: new Follower("streaming", streaming, plan),
      listing: new Follower("listing", listing, plan),
    };
  }

  static async begin(plan: StormPlan, subject: StormSubject): Promise<Storm> {
    const writer = new Writer(subject.writer);
    await writer.prepare(plan.objects);
    const storm = new Storm(plan, subject, writer);
    await subject.until(() => storm.#all.every(({ hasBegun }) => hasBegun));
    return storm;
  }

  get #all(): Follower[] {
    return followerNames.map((name) => this.#followers[name]);
  }

  async run(
    rejected: () => string[],
    onStep: (done: number) => void,
  ): Promise<StormFailure | undefined> {
    const atFirst = this.#all.flatMap((follower) => follower.begin());
    if (atFirst.length > 0) {
      return { step: 0, problems: atFirst };
    }
    for (const [at, step] of this.#plan.steps.entries()) {
      const found = await this.#take(step);
      const problems = [...found, ...this.#all.flatMap((one) => one.look()), ...rejected()];
      if (problems.length > 0) {
        return { step: at, problems };
      }
      onStep(at + 1);
    }
    const grown = this.#heap.problem();
    return grown === undefined ? undefined : { ...atEnd(this.#plan, grown), isOfAll: true };
  }

  async #take(step: StormStep): Promise<string[]> {
    switch (step.do) {
      case "write":
        await this.#write(step.verb, step.object);
        return [];
      case "noise":
        await this.#writer.noise();
        return [];
      case "strike":
        this.#followers[step.on].way.weather.add(step.fault);
        return [];
      case "disaster":
        await this.#disaster(step.disaster);
        return [];
      case "pass":
        await this.#subject.pass(step.ms);
        return [];
      case "quiet": {
        const problems = await this.#quiet();
        return problems.length === 0 && step.rests ? this.#rest() : problems;
      }
      default:
        return step satisfies never;
    }
  }

  async #write(verb: "delete" | "put" | "replace", object: number): Promise<void> {
    if (verb !== "put") {
      await this.#writer.remove(object);
    }
    if (verb !== "delete") {
      await this.#writer.put(object);
    }
  }

  async #disaster(disaster: Disaster): Promise<void> {
    const subject = this.#subject;
    subject.struck.add(disaster.kind);
    switch (disaster.kind) {
      case "compaction":
        return subject.compact();
      case "crash":
        return subject.crash(disaster.refused);
      case "certificate-swap":
        return subject.swapCertificate(disaster.refused);
      case "clock-jump":
        return subject.jumpClock(disaster.ms);
      default:
        return disaster satisfies never;
    }
  }

  /** Lets all pending faults strike, then removes faults and checks the informers. */
  async #quiet(): Promise<string[]> {
    const { until } = this.#subject;
    const weathers = this.#all.map(({ way }) => way.weather);
    const pending = () => weathers.filter((conditions) => conditions.pending > 0);
    for (let tries = 0; pending().length > 0 && tries < maxProvocations; tries++) {
      const left = pending().map((conditions) => ({
        weather: conditions,
        count: conditions.pending,
      }));
      for (const { weather } of left) {
        weather.provoke();
      }
      // Event faults need events; reordering needs two.
      await this.#writer.put(1);
      await this.#writer.put(2);
      await this.#subject.pass(provocationMs, () =>
        left.every(({ weather: conditions, count }) => conditions.pending < count),
      );
    }
    const unstruck = pending().map(({ pending }) => `${pending} faults could not strike`);
    for (const weather of weathers) {
      weather.clear();
    }
    // A write that both informers must see, so that neither looks quiet for lack of events.
    await this.#writer.put(0);
    const { lastVersion } = this.#writer;
    const arrived = await until(() =>
      this.#all.every((follower) => follower.hasReached(lastVersion)),
    );
    const written = this.#writer.takeLog();
    const truth = await this.#writer.truth();
    const found = this.#all.flatMap((follower) => [
      ...(arrived || follower.hasReached(lastVersion)
        ? []
        : [
            `${follower.name}: is at ${follower.informer.resourceVersion}, not at ${lastVersion}, state ${follower.informer.health.state}`,
          ]),
      ...follower.check(truth, written),
    ]);
    this.#quiets++;
    this.#subject.tidy();
    this.#heap.look(this.#quiets);
    return [...unstruck, ...found];
  }

  /** Writes nothing that the informers watch: bookmarks alone must advance them. */
  async #rest(): Promise<string[]> {
    if (!this.#subject.hasBookmarks) {
      return [];
    }
    const snapshots = () => this.#all.map(({ way }) => way.requests.of("snapshots"));
    const before = snapshots();
    const version = await this.#writer.noise();
    await this.#subject.until(() => this.#all.every((follower) => follower.hasReached(version)));
    const after = snapshots();
    return this.#all.flatMap((follower, at) =>
      before[at] === after[at] && follower.hasReached(version)
        ? []
        : [`${follower.name}: relisted where a bookmark would have been enough`],
    );
  }

  report(): StormReport {
    return {
      seed: this.#plan.seed,
      subject: this.#subject.name,
      struck: this.#subject.struck,
      writes: this.#writer.writes,
      quiets: this.#quiets,
      heap: this.#heap.figures(),
      followers: this.#all.map(({ name, way, informer, errors, events, inOrder }) => ({
        name,
        requests: way.requests,
        errors,
        events,
        inOrder,
        objects: informer.list().length,
      })),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#all.map((follower) => follower[Symbol.asyncDispose]()));
  }
}

/** Maximum number of opportunities created for pending faults, and the milliseconds for each to take effect. */
const maxProvocations = 200;
const provocationMs = 40_000;
