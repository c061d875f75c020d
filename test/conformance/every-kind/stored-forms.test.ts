import { readFileSync } from "node:fs";
import type { KubeObject } from "@typekube/api";
import { Namespace } from "@typekube/api/core/v1";
import { builtInResources } from "@typekube/api/resources";
import { parseManifests } from "@typekube/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { embeddedSubject } from "../embedded-subject.js";
import { readRichObjects } from "../mutated-objects/mutations.js";
import { realSubject } from "../real-subject.js";
import { collectionPath } from "../support/object-path.js";
import { rawRequest } from "../support/raw-request.js";
import { differences } from "../write-sequences/run-sequence.js";
import { oddTexts, type Place, placesOf, withValueAt } from "./stored-form-places.js";

/** Namespace of the manifests. */
const namespace = "every-kind";
const real = await realSubject();
const embedded = await embeddedSubject();
const signal = AbortSignal.timeout(560_000);

if (real === undefined) {
  console.warn("STORED FORMS ARE NOT COMPARED: there is no real API server");
}

afterAll(async () => {
  await real?.[Symbol.asyncDispose]();
  await embedded[Symbol.asyncDispose]();
});

describe.skipIf(real === undefined)("unusual texts for times, quantities and bytes", () => {
  const subjects = [real ?? embedded, embedded];

  beforeAll(async () => {
    for (const { client } of subjects) {
      await client.resource(Namespace).create({ metadata: { name: namespace } });
    }
  });

  test("the same kinds keep a generation that is sent on create", {
    timeout: 560_000,
  }, async () => {
    const manifest = readFileSync(new URL("objects.yaml", import.meta.url), "utf8");
    const different: string[] = [];
    const kept: string[] = [];
    const counted: string[] = [];
    for (const object of await parseManifests(manifest)) {
      const sent = { ...object, metadata: { ...object.metadata, generation: 7 } };
      const path = `${collectionPath(object, namespace)}?dryRun=All`;
      const [one, other] = await Promise.all(
        subjects.map(async ({ client }) => {
          const { status, body } = await reply(client, "POST", path, sent);
          return { status, generation: getPath(body, ["metadata", "generation"]) };
        }),
      );
      (one?.generation === 7 ? kept : one?.generation === 1 ? counted : []).push(object.kind ?? "");
      const found = differences(one, other, "");
      if (found.length > 0) {
        different.push([`${object.apiVersion} ${object.kind}`, ...found].join("\n"));
      }
    }
    expect(kept).toContain("Secret");
    expect(kept).not.toContain("Deployment");
    expect(counted).toContain("Deployment");
    expect(different.join("\n")).toBe("");
  });

  test("every such field of every kind is stored in the form of a real server", {
    timeout: 560_000,
  }, async () => {
    const manifest = readFileSync(new URL("objects.yaml", import.meta.url), "utf8");
    const objects = [...(await parseManifests(manifest)), ...(await readRichObjects())];
    const different: string[] = [];
    const fields = new Set<string>();
    const taken = new Set<string>();
    for (const object of objects) {
      for (const place of (await placesOf(object)).filter(isWritten)) {
        const name = `${object.apiVersion} ${object.kind} ${place.path.join(".")}`;
        fields.add(name);
        for (const text of oddTexts[place.format] ?? []) {
          const sent = await withValueAt(object, place, text);
          const [one, other] = (await written(sent, place)).map(({ status, body }) => ({
            status,
            value: valueAt(body, sent, place),
          }));
          // A value that the real server rejects, or drops with a disabled feature, has no stored form.
          if ((one?.status ?? 0) >= 300 || one?.value === undefined) {
            continue;
          }
          taken.add(name);
          const found = differences(one, other, "");
          if (found.length > 0) {
            different.push([`${name} = ${JSON.stringify(text)}`, ...found].join("\n"));
          }
        }
      }
    }
    console.log(
      `${fields.size} fields on both servers: ${taken.size} stored by the real one; ${different.length} different`,
    );
    expect(taken.size).toBeGreaterThan(200);
    expect(different.join("\n")).toBe("");
  });

  /** Creates the object, or patches its status, as a dry run. */
  function written(object: KubeObject, { path }: Place) {
    const descriptor = builtInResources.find(
      ({ apiVersion, kind }) => apiVersion === object.apiVersion && kind === object.kind,
    );
    const isStatus = path[0] === "status" && descriptor?.subresources["status"] !== undefined;
    return Promise.all(
      subjects.map(async ({ client }) => {
        const collection = collectionPath(object, namespace);
        const name = object.metadata?.name ?? "";
        if (!isStatus) {
          return reply(client, "POST", `${collection}?dryRun=All`, object);
        }
        const { status, ...rest } = object as KubeObject & { status?: unknown };
        await reply(client, "POST", collection, rest);
        return reply(client, "PATCH", `${collection}/${name}/status?dryRun=All`, { status });
      }),
    );
  }

  async function reply(
    client: (typeof embedded)["client"],
    method: "PATCH" | "POST",
    path: string,
    body: unknown,
  ): Promise<{ status: number; body: unknown }> {
    const request = { method, path, body };
    const merge = { ...request, contentType: "application/merge-patch+json" };
    const response = await rawRequest({ client, signal }, method === "PATCH" ? merge : request);
    return { status: response.status, body: response.json() };
  }
});

/** Returns true for fields that clients write; the server sets the times in the metadata. */
function isWritten({ path }: Place): boolean {
  return path[0] !== "metadata";
}

/** Returns the value at a place, by the keys of the object that was sent. */
function valueAt(body: unknown, sent: unknown, { path }: Place): unknown {
  const steps: string[] = [];
  let inner = sent;
  for (const step of path) {
    const [key = ""] = step === "[]" || step === "{}" ? Object.keys(inner as object) : [step];
    steps.push(key);
    inner = (inner as Record<string, unknown>)[key];
  }
  return getPath(body, steps);
}

function getPath(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>(
    (inner, step) =>
      typeof inner === "object" && inner !== null
        ? (inner as Record<string, unknown>)[step]
        : undefined,
    value,
  );
}
