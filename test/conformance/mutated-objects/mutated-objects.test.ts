import type { KubeObject } from "@typekube/api";
import { Namespace } from "@typekube/api/core/v1";
import { KubeError } from "@typekube/core";
import { afterAll, describe, expect, test } from "vitest";
import { embeddedSubject } from "../embedded-subject.js";
import { realSubject } from "../real-subject.js";
import { collectionPath } from "../support/object-path.js";
import { rawRequest } from "../support/raw-request.js";
import { warningTexts } from "../support/warning-texts.js";
import { normalize } from "../write-sequences/normalize.js";
import { differences } from "../write-sequences/run-sequence.js";
import { mutationsOf, readRichObjects } from "./mutations.js";
import { remaining } from "./remaining.js";

const namespace = "mutated-objects";
const objects = await readRichObjects();
const real = await realSubject();
const embedded = await embeddedSubject();
const signal = AbortSignal.timeout(580_000);

if (real === undefined) {
  console.warn("MUTATED OBJECTS ARE NOT COMPARED: there is no real API server");
}

afterAll(async () => {
  await real?.[Symbol.asyncDispose]();
  await embedded[Symbol.asyncDispose]();
});

describe.skipIf(real === undefined)(
  "objects with each field set to wrong values, on both servers",
  () => {
    const subjects = [real ?? embedded, embedded];

    test("ES16: rejections and warnings have the same messages", {
      timeout: 600_000,
    }, async () => {
      for (const { client } of subjects) {
        await client.resource(Namespace).create({ metadata: { name: namespace } });
      }
      const different: string[] = [];
      const met = new Set<string>();
      let count = 0;
      for (const object of objects) {
        const right = await both(object);
        expect(
          right.map((response) => [
            response.status,
            "body" in response ? response.body : undefined,
          ]),
          object.kind,
        ).toEqual([
          [201, undefined],
          [201, undefined],
        ]);
        for (const mutation of mutationsOf(object)) {
          count += 1;
          const [one, other] = await both(mutation.object);
          const found = differences(one, other, "");
          if (found.length > 0 && remaining[mutation.name] !== undefined) {
            met.add(mutation.name);
          } else if (found.length > 0) {
            different.push([mutation.name, ...found].join("\n"));
          }
        }
      }
      console.log(
        `${count} mutations of ${objects.length} kinds on both servers: ${met.size} answered otherwise with a reason, ${different.length} different`,
      );

      expect(different.join("\n")).toBe("");
      const healed = Object.keys(remaining).filter((name) => !met.has(name));
      expect(healed, "to be taken off the list of what remains").toEqual([]);
    });

    function both(object: KubeObject) {
      return Promise.all(
        subjects.map(async ({ client }) => {
          const path = `${collectionPath(object, namespace)}?dryRun=All`;
          try {
            const response = await rawRequest(
              { client, signal },
              { method: "POST", path, body: object },
            );
            const { status, headers } = response;
            const warning = warningTexts(headers["warning"]).join("; ");
            return status < 300
              ? { status, warning }
              : { status, warning, body: normalize(response.json()) };
          } catch (error) {
            // Some objects make a real server panic.
            return { status: 0, warning: KubeError.from(error).code };
          }
        }),
      );
    }
  },
);
