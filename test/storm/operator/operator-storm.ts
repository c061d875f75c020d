import type { Random } from "@typekube/core/internal";
import { randomFrom } from "@typekube/test-support/mixed-random";
import { isNotFound, type Live, mergePatch } from "typekube";
import { ConfigMap, Namespace, Secret } from "typekube/api/core/v1";
import { Shop } from "../../../packages/controller/test/shop.js";
import { type StormPlan, type StormStep, stormPlan } from "../storm-plan.js";
import { configName, shopOperator } from "./operator.js";
import { type OperatorSubject, operatorSubject } from "./operator-subject.js";

/** Results of a storm of the operator. */
export interface OperatorReport {
  readonly seed: number;
  readonly problems: readonly string[];
  /** Faults that struck. */
  readonly faults: number;
  /** Writes of the operator. */
  readonly writes: number;
  /** Changes of the driver: of shops, and of children. */
  readonly changes: number;
  readonly quiets: number;
  /** The same changes without faults, for comparison. */
  readonly calm: StormPlan;
  readonly errors: readonly (readonly [code: string, count: number])[];
}

const namespace = "storm";
/** Share of the steps that write a shop in which a child is damaged, too. */
const damageShare = 0.3;
/** Opportunities for pending faults, and the virtual milliseconds of each. */
const maxProvocations = 200;
const provocationMs = 40_000;
/** Virtual milliseconds in which the operator must bring everything right after the faults have ended, and per step. */
const patienceMs = 3_600_000;
const stepMs = 5_000;

/** Returns the plan of a storm: changes of shops, and faults of the operator's connection. */
export function operatorPlan(seed: number, faults: number, shops: number): StormPlan {
  // The operator's lists have one page.
  const plan = stormPlan({ seed, faults, objects: shops, without: new Set(["410-at-continue"]) });
  const steps = plan.steps.map(
    (step): StormStep => (step.do === "strike" ? { ...step, on: "streaming" } : step),
  );
  return { ...plan, steps };
}

/** Runs a plan on the operator. Stops at the first quiet point with a problem. */
export async function runOperatorStorm(plan: StormPlan): Promise<OperatorReport> {
  const rejections: string[] = [];
  const onRejection = (reason: unknown) => rejections.push(`unhandled rejection: ${reason}`);
  process.on("unhandledRejection", onRejection);
  try {
    const subject = await operatorSubject(plan.seed, shopOperator());
    const storm = new OperatorStorm(plan, subject);
    const report = await storm.run(rejections).finally(() => subject[Symbol.asyncDispose]());
    const left = subject.timers > 0 ? [`${subject.timers} timers were left behind`] : [];
    return { ...report, problems: [...report.problems, ...rejections, ...left] };
  } finally {
    process.off("unhandledRejection", onRejection);
  }
}

class OperatorStorm {
  readonly #plan: StormPlan;
  readonly #subject: OperatorSubject;
  readonly #random: Random;
  /** Images of the shops that exist, by name. */
  readonly #shops = new Map<string, string>();
  readonly #done: StormStep[] = [];
  #changes = 0;
  #quiets = 0;

  constructor(plan: StormPlan, subject: OperatorSubject) {
    this.#plan = plan;
    this.#subject = subject;
    this.#random = randomFrom(plan.seed);
  }

  async run(rejections: readonly string[]): Promise<OperatorReport> {
    const problems: string[] = [];
    await this.#subject.writer.resource(Namespace).create({ metadata: { name: namespace } });
    for (let shop = 0; shop < this.#plan.objects; shop += 1) {
      await this.#put(shop);
    }
    problems.push(...(await this.#quiet()));
    for (const [at, step] of this.#plan.steps.entries()) {
      problems.push(...(await this.#take(step)).map((problem) => `step ${at}: ${problem}`));
      if (problems.length + rejections.length > 0) {
        break;
      }
    }
    const { struck, writes, errors } = this.#subject;
    return {
      seed: this.#plan.seed,
      problems,
      faults: struck.total,
      writes: writes.total,
      changes: this.#changes,
      quiets: this.#quiets,
      calm: { ...this.#plan, steps: this.#done },
      errors: errors.entries(),
    };
  }

  async #take(step: StormStep): Promise<string[]> {
    const subject = this.#subject;
    if (step.do !== "quiet" && step.do !== "strike" && step.do !== "disaster") {
      this.#done.push(step);
    }
    switch (step.do) {
      case "write":
        if (step.verb !== "put") {
          await this.#remove(step.object);
        }
        if (step.verb !== "delete") {
          await this.#put(step.object);
        }
        if (this.#random() < damageShare) {
          await this.#damage();
        }
        return [];
      case "noise":
        return [];
      case "strike":
        subject.weather.add(step.fault);
        return [];
      case "disaster":
        subject.disaster(step.disaster);
        return [];
      case "pass":
        await subject.pass(step.ms);
        return [];
      case "quiet":
        return this.#quiet();
      default:
        return step satisfies never;
    }
  }

  get #resources() {
    const { writer } = this.#subject;
    return {
      shops: writer.resource(Shop, namespace),
      configs: writer.resource(ConfigMap, namespace),
      secrets: writer.resource(Secret, namespace),
    };
  }

  async #put(shop: number): Promise<void> {
    const name = `s${shop}`;
    const image = `image-${++this.#changes}`;
    const { shops } = this.#resources;
    if (this.#shops.has(name)) {
      // A patch never conflicts: a retry would wait for the virtual clock.
      await shops.patch(name, mergePatch({ spec: { image } }));
    } else {
      await shops.create({ metadata: { name }, spec: { image } });
    }
    this.#shops.set(name, image);
  }

  async #remove(shop: number): Promise<void> {
    if (this.#shops.delete(`s${shop}`)) {
      this.#changes += 1;
      await this.#resources.shops.delete(`s${shop}`);
    }
  }

  /** Deletes or changes a child, as somebody else might. */
  async #damage(): Promise<void> {
    const names = [...this.#shops.keys()];
    const name = names[Math.floor(this.#random() * names.length)];
    if (name === undefined) {
      return;
    }
    this.#changes += 1;
    const { configs, secrets } = this.#resources;
    const kind = this.#random();
    try {
      if (kind < 0.4) {
        await configs.patch(configName(name), mergePatch({ data: { image: "damaged" } }));
      } else if (kind < 0.7) {
        await configs.delete(configName(name));
      } else {
        const [secret] = await this.#secretsOf(name);
        if (secret !== undefined) {
          await secrets.delete(secret.metadata.name);
        }
      }
    } catch (error) {
      if (!isNotFound(error)) {
        throw error;
      }
    }
  }

  async #secretsOf(name: string): Promise<Live<Secret>[]> {
    const { items } = await this.#resources.secrets.list();
    return items.filter(({ metadata }) => metadata.name.startsWith(`${name}-key-`));
  }

  /** Lets pending faults strike, ends the faults, and checks that the operator brings everything right. */
  async #quiet(): Promise<string[]> {
    const { weather, pass } = this.#subject;
    for (let tries = 0; weather.pending > 0 && tries < maxProvocations; tries += 1) {
      weather.provoke();
      // Event faults need events; reordering needs two.
      for (const object of [1, 2]) {
        await this.#take({ do: "write", verb: "put", object });
      }
      await this.#take({ do: "pass", ms: provocationMs });
    }
    this.#done.push({ do: "quiet" });
    const unstruck = weather.pending > 0 ? [`${weather.pending} faults could not strike`] : [];
    weather.clear();
    let wrong = await this.#wrong();
    for (let passed = 0; wrong.length > 0 && passed < patienceMs; passed += stepMs) {
      await pass(stepMs);
      wrong = await this.#wrong();
    }
    this.#quiets += 1;
    this.#subject.tidy();
    return [...unstruck, ...wrong, ...this.#subject.twice.splice(0)];
  }

  /** Returns what differs from what the shops say. */
  async #wrong(): Promise<string[]> {
    const { shops, configs, secrets } = this.#resources;
    const [all, maps, keys] = await Promise.all([shops.list(), configs.list(), secrets.list()]);
    const wrong: string[] = [];
    const ownedBy = (owner: Live<Shop>) => (child: Live<ConfigMap> | Live<Secret>) =>
      child.metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) === true;
    let owned = 0;
    for (const shop of all.items) {
      const { name } = shop.metadata;
      const image = this.#shops.get(name);
      const own = maps.items.filter(ownedBy(shop));
      const count = keys.items.filter(ownedBy(shop)).length;
      owned += own.length + count;
      const [config] = own;
      if (own.length !== 1 || config?.metadata.name !== configName(name)) {
        wrong.push(`${name} has ${own.length} config maps`);
      } else if (config.data?.["image"] !== image) {
        wrong.push(`the config map of ${name} has ${config.data?.["image"]}, not ${image}`);
      }
      if (count !== 1) {
        wrong.push(`${name} has ${count} secrets`);
      }
      if (shop.status?.url !== image) {
        wrong.push(`the status of ${name} has ${shop.status?.url}, not ${image}`);
      }
    }
    const children = [...maps.items, ...keys.items].filter(
      ({ metadata }) => metadata.ownerReferences !== undefined,
    );
    if (children.length !== owned) {
      wrong.push(`${children.length - owned} children have no shop`);
    }
    return wrong;
  }
}
