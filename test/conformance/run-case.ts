import { Namespace } from "@typekube/api/core/v1";
import type { ConformanceCase } from "./conformance-case.js";
import type { Subject } from "./subject.js";

/** Milliseconds that one case may take, a restart of the real server included. */
export const caseTimeoutMs = 120_000;

/** Runs one case on a server, in a new namespace. */
export async function runCase(
  subject: Omit<Subject, "label" | "provides">,
  one: ConformanceCase,
  namespace: string,
): Promise<void> {
  const { server, client, compact, whileTimePasses, clientOf } = subject;
  await client.resource(Namespace).create({ metadata: { name: namespace } });
  const signal = AbortSignal.timeout(caseTimeoutMs);
  await one.run({ server, client, namespace, signal, compact, whileTimePasses, clientOf });
}

/** Returns the cases whose needs the server meets. */
export function casesFor(
  { provides }: Subject,
  cases: readonly ConformanceCase[],
): readonly ConformanceCase[] {
  return cases.filter(({ needs = [] }) => needs.every((need) => provides.has(need)));
}
