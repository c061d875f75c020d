import { expect } from "vitest";
import type { ControllerTest } from "../testing/controller-test.js";

/** How quiet controllers must be. */
export interface WriteBudget {
  /** Maximum number of writes; 0 for controllers whose objects are all as they should be. */
  readonly atMost: number;
  /** Milliseconds of the test's clock. Default: an hour. */
  readonly forMs?: number | undefined;
}

/** Matchers of `expect(t)` for what {@link controllerTest} returned. */
export interface ControllerMatchers<R = unknown> {
  /** Advances the clock and expects no more writes than that: more would be a controller that triggers itself. */
  toStayQuiet(budget: WriteBudget): Promise<R>;
}

declare module "vitest" {
  // biome-ignore lint/suspicious/noExplicitAny: must match vitest's own declaration.
  interface Matchers<T = any> extends ControllerMatchers<T> {}
}

const hourMs = 3_600_000;
/** Steps in which the clock is advanced. */
const steps = 60;
const writing = new Set(["create", "delete", "deletecollection", "patch", "update"]);

/** Adds the matchers to vitest's `expect`. Can be called repeatedly. */
export function addControllerMatchers(): void {
  expect.extend({
    async toStayQuiet(t: ControllerTest, { atMost, forMs = hourMs }: WriteBudget) {
      await t.settled();
      const last = t.api.requests.at(-1);
      for (let step = 0; step < steps; step++) {
        await t.advance(forMs / steps);
      }
      const from = last === undefined ? 0 : t.api.requests.lastIndexOf(last) + 1;
      // Renewals of leases and events are no changes of the world.
      const made = t.api.requests
        .slice(from)
        .filter(({ verb, resource = "" }) => writing.has(verb) && !quiet.has(resource));
      return {
        pass: made.length <= atMost,
        message: () =>
          [
            `expected at most ${atMost} writes in ${forMs} ms, not ${made.length}:`,
            ...made.map(({ verb, path }) => `  ${verb} ${path}`),
          ].join("\n"),
      };
    },
  });
}

const quiet = new Set(["events", "leases"]);
