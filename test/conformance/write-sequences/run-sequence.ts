import { isDeepStrictEqual } from "node:util";
import type { HttpMethod } from "@typekube/core/internal";
import type { ConformanceContext } from "../conformance-case.js";
import { rawRequest } from "../support/raw-request.js";
import { normalize } from "./normalize.js";
import type { Step, StepKind } from "./step.js";

/** Server and namespace that a sequence runs on. */
export type SequenceServer = Pick<ConformanceContext, "client" | "namespace" | "signal">;

/** Comparable parts of a response. */
export interface SequenceResponse {
  readonly status: number;
  readonly body: unknown;
}

const requests: Readonly<Record<StepKind, readonly [HttpMethod, string, string?]>> = {
  apply: ["PATCH", "", "application/apply-patch+yaml"],
  create: ["POST", "", "application/json"],
  delete: ["DELETE", ""],
  get: ["GET", ""],
  jsonPatch: ["PATCH", "", "application/json-patch+json"],
  mergePatch: ["PATCH", "", "application/merge-patch+json"],
  put: ["PUT", "", "application/json"],
  scale: ["PATCH", "/scale", "application/merge-patch+json"],
  status: ["PATCH", "/status", "application/merge-patch+json"],
  strategicPatch: ["PATCH", "", "application/strategic-merge-patch+json"],
};

/**
 * Sends every request of a sequence and collects the responses. `prefix` keeps its object apart from those of other
 * runs.
 */
export async function runSequence(
  server: SequenceServer,
  steps: readonly Step[],
  prefix: string,
): Promise<SequenceResponse[]> {
  const responses: SequenceResponse[] = [];
  let version: string | undefined;
  for (const step of steps) {
    const [method, suffix, contentType] = requests[step.kind];
    const collection = step.collection.replace("%", `namespaces/${server.namespace}`);
    const name = `${prefix}${step.name}`;
    const path = step.kind === "create" ? collection : `${collection}/${name}${suffix}`;
    const response = await rawRequest(server, {
      method,
      path: `${path}${step.query ?? ""}`,
      ...(contentType === undefined ? {} : { contentType }),
      userAgent: "sequence/1",
      ...(step.body === undefined
        ? {}
        : { body: named(step.body, name, step.versioned === true ? version : undefined) }),
    });
    const body = response.json<{ metadata?: { resourceVersion?: string } }>();
    version = body.metadata?.resourceVersion ?? version;
    const text = JSON.stringify(normalize(body)).replaceAll(name, step.name);
    responses.push({ status: response.status, body: JSON.parse(text) as unknown });
  }
  return responses;
}

function named(body: unknown, name: string, resourceVersion: string | undefined): unknown {
  const given = body as { metadata?: { name?: string } };
  return given.metadata?.name === undefined
    ? body
    : {
        ...given,
        metadata: { ...given.metadata, name, ...(resourceVersion && { resourceVersion }) },
      };
}

/** Returns the first difference between two runs of a sequence; `undefined` when they are equal. */
export function firstDifference(
  one: readonly SequenceResponse[],
  other: readonly SequenceResponse[],
): { readonly at: number; readonly text: string } | undefined {
  for (const [at, response] of one.entries()) {
    if (!isDeepStrictEqual(response, other[at])) {
      return { at, text: differences(response, other[at], "").slice(0, 8).join("\n") };
    }
  }
  return undefined;
}

/** Returns the differences between two values, one per line. */
export function differences(one: unknown, other: unknown, path: string): string[] {
  const areObjects = [one, other].every((value) => typeof value === "object" && value !== null);
  if (areObjects && Array.isArray(one) === Array.isArray(other)) {
    const [a, b] = [one, other] as [Record<string, unknown>, Record<string, unknown>];
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...keys].flatMap((key) => differences(a[key], b[key], `${path}.${key}`));
  }
  return isDeepStrictEqual(one, other)
    ? []
    : [`    ${path}: real ${JSON.stringify(one)}, embedded ${JSON.stringify(other)}`];
}
