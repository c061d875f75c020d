import type { KubeObject } from "@typekube/api";
import { Namespace } from "@typekube/api/core/v1";
import { afterAll, describe, expect, test } from "vitest";
import { embeddedSubject } from "../embedded-subject.js";
import { realSubject } from "../real-subject.js";
import { collectionPath } from "../support/object-path.js";
import { rawRequest } from "../support/raw-request.js";
import { normalize } from "../write-sequences/normalize.js";
import { differences } from "../write-sequences/run-sequence.js";
import { readWrongObjects } from "./read-wrong-objects.js";
import { remaining } from "./remaining.js";

const namespace = "wrong-objects";
const { right, wrong } = await readWrongObjects();
const real = await realSubject();
const embedded = await embeddedSubject();
const signal = AbortSignal.timeout(460_000);

if (real === undefined) {
  console.warn("WRONG OBJECTS ARE NOT COMPARED: there is no real API server");
}

afterAll(async () => {
  await real?.[Symbol.asyncDispose]();
  await embedded[Symbol.asyncDispose]();
});

describe.skipIf(real === undefined)("objects with one fault, on both servers", () => {
  const subjects = [real ?? embedded, embedded];

  test("ES16: rejects the same objects with the same messages", { timeout: 480_000 }, async () => {
    for (const { client } of subjects) {
      await client.resource(Namespace).create({ metadata: { name: namespace } });
    }
    const different: string[] = [];
    const healed: string[] = [];
    for (const { name, object } of wrong) {
      const [one, other] = await both(object);
      const found = differences(one, other, "");
      if (found.length > 0 && remaining[name] === undefined) {
        different.push([name, ...found].join("\n"));
      } else if (found.length === 0 && remaining[name] !== undefined) {
        healed.push(name);
      }
    }
    const left = Object.keys(remaining).length;
    console.log(
      `${wrong.length} wrong objects on both servers: ${wrong.length - left - different.length} answered the same, ` +
        `${left} with a reason not to, ${different.length} different`,
    );
    expect(different.join("\n")).toBe("");
    expect(healed, "to be taken off the list of what remains").toEqual([]);
  });

  test("ES16: accepts the objects without their faults", async () => {
    for (const { name, object } of right) {
      const responses = await both(object);
      expect(
        responses.map(({ status }) => status),
        name,
      ).toEqual([201, 201]);
    }
  });

  test("every remaining difference belongs to an object in the table", () => {
    const names = wrong.map(({ name }) => name);
    expect(Object.keys(remaining).filter((name) => !names.includes(name))).toEqual([]);
  });

  async function both(object: KubeObject) {
    return Promise.all(
      subjects.map(async ({ client }) => {
        const path = `${collectionPath(object, namespace)}?dryRun=All`;
        const response = await rawRequest(
          { client, signal },
          { method: "POST", path, body: object },
        );
        const status = response.status;
        return status < 300 ? { status } : { status, body: normalize(response.json()) };
      }),
    );
  }
});
