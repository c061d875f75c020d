import type { KubeObject } from "@typekube/api";
import { Namespace } from "@typekube/api/core/v1";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { embeddedSubject } from "../embedded-subject.js";
import { realSubject } from "../real-subject.js";
import { collectionPath } from "../support/object-path.js";
import { type RawRequest, rawRequest } from "../support/raw-request.js";
import { warningTexts } from "../support/warning-texts.js";
import { readWarnedObjects, steps, type Warnings } from "./read-warned-objects.js";

const namespace = "warned-objects";
const objects = await readWarnedObjects();
const subjects = [await embeddedSubject(), await realSubject()].filter((one) => one !== undefined);

if (subjects.length === 1) {
  console.warn("WARNED OBJECTS ARE NOT SENT TO A REAL SERVER: it is not installed");
}

afterAll(async () => {
  for (const subject of subjects) {
    await subject[Symbol.asyncDispose]();
  }
});

describe.each(subjects.map((subject) => [subject.label, subject] as const))(
  "%s",
  (_, { client }) => {
    const signal = AbortSignal.timeout(460_000);

    beforeAll(async () => {
      await client.resource(Namespace).create({ metadata: { name: namespace } });
    });

    test.each(objects.map((one) => [one.name, one] as const))(
      "ES12: %s: warnings of each step",
      async (_, { object, expected }) => {
        expect(await warningsOf(object)).toEqual(
          Object.fromEntries(steps.map((step) => [step, expected[step] ?? []])),
        );
      },
    );

    async function warningsOf(object: KubeObject): Promise<Warnings> {
      const path = collectionPath(object, namespace);
      const created = await send({ method: "POST", path, body: object });
      const at = `${path}/${object.metadata?.name}`;
      const read = await send({ path: at });
      const update = await send({ method: "PUT", path: at, body: labelled(read.body) });
      const restated = withRestatedPods(update.body);
      const restate =
        restated === undefined
          ? { texts: [] }
          : await send({ method: "PUT", path: at, body: restated });
      const gone = await send({ method: "DELETE", path: `${at}?gracePeriodSeconds=0` });
      return {
        create: created.texts,
        read: read.texts,
        update: update.texts,
        restate: restate.texts,
        delete: gone.texts,
      };
    }

    async function send(request: RawRequest): Promise<{ body: KubeObject; texts: string[] }> {
      const response = await rawRequest({ client, signal }, request);
      expect(response.status, response.text).toBeLessThan(300);
      return {
        body: response.json<KubeObject>(),
        texts: warningTexts(response.headers["warning"]),
      };
    }
  },
);

interface Labelled {
  readonly metadata?:
    | { readonly labels?: Readonly<Record<string, string>> | undefined }
    | undefined;
}

interface WithTemplate extends KubeObject {
  readonly template?: Labelled;
  readonly spec?: { readonly template?: Labelled };
}

function labelled<T extends Labelled>(object: T): T {
  const { metadata } = object;
  return { ...object, metadata: { ...metadata, labels: { ...metadata?.labels, more: "1" } } };
}

/** Returns the object with a changed pod template; `undefined` for kinds without a template or with an immutable one. */
function withRestatedPods(object: WithTemplate): WithTemplate | undefined {
  const { kind, template, spec } = object;
  if (template !== undefined) {
    return { ...object, template: labelled(template) };
  }
  return spec?.template === undefined || kind === "Job"
    ? undefined
    : { ...object, spec: { ...spec, template: labelled(spec.template) } };
}
