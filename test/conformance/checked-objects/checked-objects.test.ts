import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import { Namespace } from "@typekube/api/core/v1";
import { builtInResources } from "@typekube/api/resources";
import { type CheckOptions, type CheckResult, check } from "@typekube/apiserver/check";
import { KubeError, type Status } from "@typekube/core";
import { codecs } from "@typekube/core/internal";
import { goldenObjects, hasCorpus } from "@typekube/test-support/golden-corpus";
import { afterAll, describe, expect, test } from "vitest";
import { embeddedSubject } from "../embedded-subject.js";
import { mutationsOf, readRichObjects } from "../mutated-objects/mutations.js";
import { remaining } from "../mutated-objects/remaining.js";
import { realSubject } from "../real-subject.js";
import { collectionPath } from "../support/object-path.js";
import { rawRequest } from "../support/raw-request.js";
import { differing } from "./differing.js";

const namespace = "checked-objects";
const seed = Number(process.env["TYPEKUBE_SEED"] ?? 1);
const mutationCount = Number(process.env["TYPEKUBE_MUTATIONS"] ?? 500);
// This rule is about what servers ignore.
const options: CheckOptions = { rules: { "namespace-scope": "off" } };
/** Not sent to a real server, not even as a dry run: they make it call other programs. */
const unsent = new Set([
  "APIService",
  "MutatingWebhookConfiguration",
  "ValidatingWebhookConfiguration",
]);

const real = await realSubject();
const embedded = await embeddedSubject();
const signal = AbortSignal.timeout(580_000);
const servers = [...(real === undefined ? [] : [real]), embedded];

if (real === undefined) {
  console.warn("SKIPPED: VERDICTS ARE NOT COMPARED WITH A REAL SERVER, which is missing");
}

afterAll(async () => {
  await real?.[Symbol.asyncDispose]();
  await embedded[Symbol.asyncDispose]();
});

/** An object and its name in the output. */
interface Sample {
  readonly name: string;
  readonly object: KubeObject;
}

describe("verdicts of check(), of the embedded server and of a real one", () => {
  test(`MC41, MC82 [+]: ${mutationCount} mutated manifests have the same causes (seed ${seed})`, {
    timeout: 600_000,
  }, async () => {
    const all: Sample[] = [];
    for (const object of await readRichObjects()) {
      all.push(...mutationsOf(object));
    }
    const random = seeded(seed);
    const chosen = all
      .map((mutation) => ({ mutation, rank: random() }))
      .sort((a, b) => a.rank - b.rank)
      .slice(0, mutationCount)
      .map(({ mutation }) => mutation);
    await compare(chosen, (sample) => remaining[sample.name] ?? differing(sample.name), "causes");
  });

  test.skipIf(!hasCorpus).each(["v1.34.0", "v1.35.0", "v1.37.1"])(
    "MC40: every golden object of %s has the verdict of a dry run",
    { timeout: 600_000 },
    async (release) => {
      const samples: Sample[] = [];
      let others = 0;
      for (const { name, json } of goldenObjects(release)) {
        const object = (await codecs.json.decode(json)) as KubeObject;
        // Options and subresources are no manifests; versions that were removed have no path.
        if (
          collectionPath(object, namespace).endsWith("/undefined") ||
          unsent.has(object.kind ?? "")
        ) {
          others += 1;
          continue;
        }
        samples.push({ name: `${release} ${name}`, object });
      }
      console.log(`SKIPPED: ${others} golden objects of ${release} without a path of their own`);
      await compare(samples, (sample) => differing(sample.name), "verdicts");
    },
  );
});

/**
 * Compares the verdicts on samples.
 *
 * @param reasonOf - returns why a verdict may differ from a real server's.
 * @param level - `verdicts` accepts other causes than a real server's: golden objects are filler that breaks every rule of
 * their kind, of which the embedded server has most, but not all.
 */
async function compare(
  samples: readonly Sample[],
  reasonOf: (sample: Sample) => string | undefined,
  level: "causes" | "verdicts",
): Promise<void> {
  for (const { client } of servers) {
    await client
      .resource(Namespace)
      .apply({ metadata: { name: namespace } }, { fieldManager: "test", force: true });
  }
  const placed = samples.map((sample) => ({ ...sample, object: inNamespace(sample.object) }));
  const different: string[] = [];
  const excused = new Set<string>();
  let rejected = 0;
  let otherCauses = 0;
  for (const sample of placed) {
    // One at a time: objects such as LimitRanges would decide on others of the same input.
    const { results } = await check([sample.object], options);
    const result = results.at(-1);
    for (const server of servers) {
      const expected = await answerOf(server, sample.object);
      const actual = result === undefined ? [] : errorsOf(result, expected);
      const isEqual = JSON.stringify(actual) === JSON.stringify(expected);
      rejected += expected.length > 0 ? 1 : 0;
      if (
        !isEqual &&
        server === real &&
        level === "verdicts" &&
        verdictOf(actual) === verdictOf(expected)
      ) {
        otherCauses += 1;
      } else if (!isEqual && server === real && reasonOf(sample) !== undefined) {
        excused.add(sample.name);
      } else if (!isEqual) {
        different.push(
          `${sample.name} (${server.server})\n  server: ${expected.join("\n    ")}\n  check:  ${actual.join("\n    ")}`,
        );
      }
    }
  }
  console.log(
    `${samples.length} objects on ${servers.map((one) => one.server).join(" and ")}: ${rejected} rejections, ${otherCauses} with other causes, ${excused.size} differ with a reason, ${different.length} differ`,
  );
  expect(different.join("\n")).toBe("");
}

function verdictOf(causes: readonly string[]): string {
  return causes[0] === "not served" ? "not served" : causes.length > 0 ? "rejected" : "accepted";
}

function inNamespace(object: KubeObject): KubeObject {
  const descriptor = (builtInResources as readonly ResourceDescriptor[]).find(
    (one) => one.apiVersion === object.apiVersion && one.kind === object.kind,
  );
  const { namespace: _, ...metadata } = object.metadata ?? {};
  return descriptor?.scope === "Namespaced"
    ? { ...object, metadata: { ...metadata, namespace } }
    : { ...object, metadata };
}

/** Returns the causes with which a server rejects an object; empty when it accepts it. */
async function answerOf(server: (typeof servers)[number], object: KubeObject): Promise<string[]> {
  const path = `${collectionPath(object, namespace)}?dryRun=All&fieldValidation=Strict`;
  let status: Status;
  try {
    const response = await rawRequest(
      { client: server.client, signal },
      { method: "POST", path, body: object },
    );
    if (response.status < 300) {
      return [];
    }
    if (response.text.startsWith("404 page not found")) {
      return ["not served"];
    }
    status = response.json<Status>();
  } catch (error) {
    // Some objects make a real server panic.
    return [KubeError.from(error).code];
  }
  const { message = "", reason, details, code } = status;
  if (code === 404 && /could not find the requested resource/.test(message)) {
    return ["not served"];
  }
  const causes = details?.causes ?? [];
  if (reason === "Invalid" && causes.length > 0) {
    return causes.map((cause) => `${cause.reason} ${cause.field}`).sort();
  }
  const unknown = message.includes("strict decoding error")
    ? [...message.matchAll(/unknown field "(?:[^"\\]|\\.)*"/g)].map(([text]) => text)
    : [];
  return unknown.length > 0 ? unknown.sort() : [message];
}

const notServed = new Set(["not-served", "removed-api", "unknown-kind", "unknown-version"]);

/** Returns the errors of a result in the same form. */
function errorsOf({ findings }: CheckResult, expected: readonly string[]): string[] {
  const errors = findings.filter(({ severity }) => severity === "error");
  const isStrict = errors.some(({ rule }) => rule === "unknown-field");
  return (
    errors
      // Behind unknown fields, check() also reports what a server would find without them.
      .filter(({ rule }) => !isStrict || rule === "unknown-field")
      .map(({ rule, reason, field, message }) => {
        if (notServed.has(rule)) {
          return "not served";
        }
        if (reason?.startsWith("FieldValue") === true) {
          return `${reason} ${field ?? "<nil>"}`;
        }
        // A finding quotes the part of the message that names the field.
        const whole = expected.find((one) => one.includes(message));
        return whole ?? message;
      })
      .sort()
  );
}

function seeded(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
