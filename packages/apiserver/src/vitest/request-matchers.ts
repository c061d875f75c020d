import { expect } from "vitest";
import type { ApiServer } from "../api-server.js";
import type { JournalEntry } from "../control/journal.js";
import { type RoleLike, rightsUsed } from "../control/rights-used.js";

/** What a request must be; what is left out may be anything. */
export type RequestPattern = Partial<JournalEntry>;

/** How many requests a piece of work may make. */
export interface RequestBudget {
  /** At most so many; 0 for work that is at rest. */
  readonly atMost: number;
  /** Only requests like this count. Default: all. */
  readonly like?: RequestPattern | undefined;
}

/** What `expect(api)` can say about the requests that a server got. */
export interface RequestMatchers<R = unknown> {
  /** There was a request like this. */
  toHaveRequested(pattern: RequestPattern): R;
  /** There were so many requests like this. */
  toHaveRequestedTimes(pattern: RequestPattern, times: number): R;
  /** Does the work and counts the requests that it makes; `await` it. */
  toStayWithin(budget: RequestBudget, work: () => unknown): Promise<R>;
  /** Everything that was asked is in a declared role. With `user`, only what that user asked counts. */
  toBeAllowedBy(role: RoleLike, user?: string): R;
  /** A declared role has no rule that was not needed. */
  toNeedAllOf(role: RoleLike, user?: string): R;
}

declare module "vitest" {
  // biome-ignore lint/suspicious/noExplicitAny: has to be written as vitest writes it.
  interface Matchers<T = any> extends RequestMatchers<T> {}
}

/** What the matchers look at. */
type Server = Pick<ApiServer, "requests">;

interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}

/** Adds the matchers to vitest's `expect`. Can be called again. */
export function addRequestMatchers(): void {
  expect.extend({
    toHaveRequested: (api: Server, pattern: RequestPattern): Verdict =>
      verdict(count(api, pattern) > 0, `a request like ${shown(pattern)}`, api),
    toHaveRequestedTimes: (api: Server, pattern: RequestPattern, times: number): Verdict => {
      const found = count(api, pattern);
      return verdict(
        found === times,
        `${times} requests like ${shown(pattern)}, not ${found}`,
        api,
      );
    },
    async toStayWithin(
      api: Server,
      { atMost, like = {} }: RequestBudget,
      work: () => unknown,
    ): Promise<Verdict> {
      const last = api.requests.at(-1);
      await work();
      // By the entry, not by its place: the journal of a long run forgets its beginning.
      const made = { requests: api.requests.slice(last ? api.requests.lastIndexOf(last) + 1 : 0) };
      const found = count(made, like);
      return verdict(found <= atMost, `at most ${atMost} requests, not ${found}`, made);
    },
    toBeAllowedBy(api: Server, role: RoleLike, user?: string): Verdict {
      const { missing } = rightsUsed(of(user, api), role);
      return rights(missing, "the role lacks");
    },
    toNeedAllOf(api: Server, role: RoleLike, user?: string): Verdict {
      const { unused } = rightsUsed(of(user, api), role);
      return rights(unused, "nobody needed");
    },
  });
}

function of(user: string | undefined, { requests }: Server): readonly JournalEntry[] {
  return user === undefined ? requests : requests.filter((entry) => entry.user === user);
}

function count({ requests }: Server, pattern: RequestPattern): number {
  const wanted = Object.entries(pattern);
  return requests.filter((entry) =>
    wanted.every(([key, value]) => entry[key as keyof JournalEntry] === value),
  ).length;
}

function verdict(pass: boolean, what: string, { requests }: Server): Verdict {
  const list = requests.map(({ verb, path, status }) => `  ${verb} ${path} ${status ?? "-"}`);
  return {
    pass,
    message: () => [`expected ${pass ? "not " : ""}${what}; requests:`, ...list].join("\n"),
  };
}

function rights(found: readonly string[], word: string): Verdict {
  const pass = found.length === 0;
  return {
    pass,
    message: () =>
      pass
        ? "expected the role not to match"
        : [`${word}:`, ...found.map((one) => `  ${one}`)].join("\n"),
  };
}

function shown(pattern: RequestPattern): string {
  return JSON.stringify(pattern);
}
