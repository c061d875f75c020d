import { KubeError } from "@typekube/core";
import type { ServerContext } from "../../../context/server-context.js";
import type { Externals } from "../scenario/externals.js";
import type { Scenario } from "../scenario/scenario.js";
import { madeExternals } from "./external-state.js";
import { type NormalWorld, normalWorld, type StoredKeys, WrittenKeys } from "./normal-world.js";
import { problemOf, type World, worldOf } from "./world.js";

/** Storages of objects that record events and leaders. */
const records: ReadonlySet<string> = new Set(["events", "leases.coordination.k8s.io"]);

/** The world of one run: its state, its changes, and the checks of the scenario on it. */
export class RunWorld<X extends Externals> {
  readonly externals: X;
  readonly world: World<X>;
  /** Writes of objects so far, without records of events and leaders. */
  commits = 0;
  /** Time of the last such write. */
  committedMs = 0;
  readonly #context: ServerContext;
  readonly #scenario: Scenario<X>;
  readonly #written: WrittenKeys;
  /** The world that the last {@link isStill} has seen. */
  #seen: string | undefined;
  #isOver = false;
  #normal: { readonly version: string; readonly world: NormalWorld } | undefined;

  /**
   * @param expected - keys that the run without faults wrote: an object that should be gone may never be written here.
   * @param onViolation - called with the name of an invariant that does not hold, and the reason.
   */
  constructor(
    context: ServerContext,
    scenario: Scenario<X>,
    expected: StoredKeys | undefined,
    onViolation: (name: string, problem: string) => void,
  ) {
    this.#context = context;
    this.#scenario = scenario;
    this.#written = new WrittenKeys(context.store, expected);
    this.externals = madeExternals(scenario);
    this.world = worldOf(context, this.externals, () => this.#isOver);
    const invariants = Object.entries(scenario.invariants ?? {});
    context.store.onCommit((_, storage) => {
      if (records.has(storage)) {
        return;
      }
      this.commits += 1;
      this.committedMs = context.clock.now();
      for (const [name, check] of invariants) {
        const problem = problemOf(check, this.world);
        if (problem !== undefined) {
          onViolation(name, problem);
        }
      }
    });
  }

  /** Ends the run: a step that still looks at its world gets an error. */
  end(): void {
    this.#isOver = true;
  }

  /** Keys of what was written. */
  get written(): StoredKeys {
    return this.#written.all;
  }

  /**
   * Returns whether nothing has changed since the last call, in the cluster and outside.
   *
   * @param calls - number of calls so far, which may have changed external systems.
   */
  isStill(calls: number): boolean {
    const { text } = this.normal(calls);
    const isStill = this.#seen === text;
    this.#seen = text;
    return isStill;
  }

  /** Returns the reason for which `converged` of the scenario does not hold; `undefined` when it does, or is not given. */
  problem(): string | undefined {
    const { converged } = this.#scenario;
    return converged === undefined ? undefined : problemOf(converged, this.world);
  }

  /**
   * Returns the world as it compares between runs.
   *
   * @param calls - number of calls so far, which may have changed external systems.
   */
  normal(calls: number): NormalWorld {
    const { store } = this.#context;
    const version = `${store.revision} ${calls}`;
    if (this.#normal?.version !== version) {
      const objects = this.#written.objects(store);
      this.#normal = {
        version,
        world: normalWorld(objects, this.externals, checkedIgnore(this.#scenario.ignore)),
      };
    }
    return this.#normal.world;
  }
}

/** Returns `ignore` of a scenario with an error that names it. */
function checkedIgnore(ignore: Scenario["ignore"]): Scenario["ignore"] {
  return (
    ignore &&
    ((object) => {
      try {
        return ignore(object);
      } catch (error) {
        const { kind, metadata } = object;
        throw new KubeError(
          "InvalidArgument",
          `ignore: it throws for ${kind} ${metadata?.name}: ${(error as Error).message}`,
          { cause: error, hint: "it gets objects of all kinds: look at the kind first" },
        );
      }
    })
  );
}
