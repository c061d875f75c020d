import { expect } from "vitest";
import { type RoleLike, rightsUsed } from "../access/rights-used.js";
import type { ApiServer } from "../api-server/api-server.js";
import type { JournalEntry } from "../journal/journal.js";

/** Properties of a request to match; omitted ones match anything. */
export type RequestPattern = Partial<JournalEntry>;

/** Number of requests that some work may make. */
export interface RequestBudget {
  /** Maximum number of requests; 0 for idle work. */
  readonly atMost: number;
  /** Requests to count. Default: all. */
  readonly like?: RequestPattern | undefined;
}

/** Matchers of `expect(api)` for the requests that a server received. */
export interface RequestMatchers<R = unknown> {
  /** Expects at least one request that matches. */
  toHaveRequested(pattern: RequestPattern): R;
  /** Expects exactly this number of matching requests. */
  toHaveRequestedTimes(pattern: RequestPattern, times: number): R;
  /** Runs the work and counts the requests that it makes; must be awaited. */
  toStayWithin(budget: RequestBudget, work: () => unknown): Promise<R>;
  /** Expects a declared role to allow all requests. With `user`, only that user's requests count. */
  toBeAllowedBy(role: RoleLike, user?: string): R;
  /** Expects every rule of a declared role to have been needed. */
  toNeedAllOf(role: RoleLike, user?: string): R;
}

declare module "vitest" {
  // biome-ignore lint/suspicious/noExplicitAny: must match vitest's own declaration.
  interface Matchers<T = any> extends RequestMatchers<T> {}
}

/** The part of a server that the matchers read. */
type Server = Pick<ApiServer, "requests">;

interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}

/** Adds the matchers to vitest's `expect`. Can be called repeatedly. */
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
      // Search for the entry instead of using its index: in a long run the journal drops old entries.
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
      return rights(unused, "no request needed");
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
