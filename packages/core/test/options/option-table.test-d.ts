import type { OptionTable } from "@typekube/core/internal";
import { test } from "vitest";

interface Waiting {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}
type Version = { readonly exact: string } | { readonly notOlderThan?: string | undefined };

test("a table lists every option, of every member of a union, and no other name", () => {
  ({ signal: true, timeoutMs: true }) satisfies OptionTable<Waiting>;
  ({ exact: true, notOlderThan: true }) satisfies OptionTable<Version>;
  // @ts-expect-error timeoutMs is missing
  ({ signal: true }) satisfies OptionTable<Waiting>;
  // @ts-expect-error notOlderThan is missing
  ({ exact: true }) satisfies OptionTable<Version>;
  // @ts-expect-error timeout is no option
  ({ signal: true, timeoutMs: true, timeout: true }) satisfies OptionTable<Waiting>;
});
