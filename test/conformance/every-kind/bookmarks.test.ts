import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import type { ResourceDescriptor } from "@typekube/api";
import { builtInResources } from "@typekube/api/resources";
import { contextOf } from "@typekube/client/internal";
import { findAssets } from "@typekube/test-support/real-server/assets";
import { afterAll, beforeAll, describe, test } from "vitest";
import { type EveryKindSubject, everyKindSubjects } from "./subjects.js";

const views = {
  object: "application/json",
  metadata: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
};
const watched = builtInResources.filter(({ verbs }) => verbs.includes("watch"));

/** Returns the first event of a streaming list that selects nothing: its bookmark, without the resourceVersion. */
async function firstBookmark(
  { client }: EveryKindSubject,
  { group, apiVersion, plural }: ResourceDescriptor,
  accept: string,
): Promise<unknown> {
  const query = new URLSearchParams({
    watch: "1",
    allowWatchBookmarks: "true",
    sendInitialEvents: "true",
    resourceVersionMatch: "NotOlderThan",
    labelSelector: "nobody=has-this",
  });
  const response = await contextOf(client).send({
    method: "GET",
    path: `/${group === "" ? "api" : "apis"}/${apiVersion}/${plural}?${query}`,
    headers: { accept },
    mode: "stream",
    signal: AbortSignal.timeout(60_000),
  });
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += new TextDecoder().decode(chunk);
    if (text.includes("\n") || response.status !== 200) {
      break;
    }
  }
  return response.status === 200
    ? withoutVersion(JSON.parse(text.slice(0, text.indexOf("\n"))))
    : response.status;
}

function withoutVersion(event: { object: { metadata: { resourceVersion?: string } } }): unknown {
  const { resourceVersion, ...metadata } = event.object.metadata;
  assert.match(resourceVersion ?? "", /^\d+$/);
  return { ...event, object: { ...event.object, metadata } };
}

describe.skipIf((await findAssets()) === undefined)("bookmarks, embedded and real", () => {
  let subjects: EveryKindSubject[];

  beforeAll(async () => {
    subjects = await everyKindSubjects();
  });
  afterAll(async () => {
    for (const subject of subjects) {
      await subject[Symbol.asyncDispose]();
    }
  });

  test.for(Object.entries(views))(
    "WAT8: the bookmark of every kind as %s",
    async ([view, accept]) => {
      const differences: string[] = [];
      let served = 0;
      for (const descriptor of watched) {
        const [embedded, real] = await Promise.all(
          subjects.map((subject) => firstBookmark(subject, descriptor, accept)),
        );
        served += typeof real === "object" ? 1 : 0;
        if (!isDeepStrictEqual(embedded, real)) {
          const shown = `real ${JSON.stringify(real)}, embedded ${JSON.stringify(embedded)}`;
          differences.push(`${descriptor.apiVersion} ${descriptor.kind}: ${shown}`);
        }
      }
      assert.deepEqual(differences, []);
      console.log(`bookmarks as ${view}: ${served} kinds alike`);
      assert.ok(served > 40);
    },
  );
});
