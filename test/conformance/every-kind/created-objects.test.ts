import { readFileSync } from "node:fs";
import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import { Namespace } from "@typekube/api/core/v1";
import { builtInResources } from "@typekube/api/resources";
import { parseManifests } from "@typekube/core";
import { afterAll, describe, expect, test } from "vitest";
import { embeddedSubject } from "../embedded-subject.js";
import { realSubject } from "../real-subject.js";
import { rawRequest } from "../support/raw-request.js";
import { normalize } from "../write-sequences/normalize.js";
import { differences } from "../write-sequences/run-sequence.js";

/** Namespace of the manifests. */
const namespace = "every-kind";
const asTable = "application/json;as=Table;g=meta.k8s.io;v=v1";
const manifests = ["objects.yaml", "bare-objects.yaml"].map(
  (file) => new URL(file, import.meta.url),
);

/** Kinds whose objects or table rows still differ, with the reasons. */
const remaining: Readonly<Record<string, string>> = {
  "table of v1 ComponentStatus": "the embedded server watches no other programs",
  "table of apiregistration.k8s.io/v1 APIService":
    "the embedded server does not check the availability of services",
  "table of flowcontrol.apiserver.k8s.io/v1 FlowSchema":
    "the embedded server does not check for missing priority levels",
  "table of networking.k8s.io/v1 IPAddress": "real servers return one cell more than columns here",
};

const real = await realSubject();
const embedded = await embeddedSubject();
const signal = AbortSignal.timeout(460_000);

if (real === undefined) {
  console.warn("CREATED OBJECTS ARE NOT COMPARED: there is no real API server");
}

afterAll(async () => {
  await real?.[Symbol.asyncDispose]();
  await embedded[Symbol.asyncDispose]();
});

describe.skipIf(real === undefined)("every kind, created on both servers", () => {
  const subjects = [real ?? embedded, embedded];
  const objects: KubeObject[] = [];

  test("ALT1: created objects are equal field by field, including ownership", {
    timeout: 480_000,
  }, async () => {
    for (const { client } of subjects) {
      await client.resource(Namespace).create({ metadata: { name: namespace } });
    }
    for (const manifest of manifests) {
      objects.push(...(await parseManifests(readFileSync(manifest, "utf8"))));
    }
    // Some time after a range was created, a real server allocates Service addresses from it.
    objects.sort((a, b) => Number(a.kind === "ServiceCIDR") - Number(b.kind === "ServiceCIDR"));
    const different: string[] = [];
    for (const object of objects) {
      const [one, other] = await both("POST", pathOf(object), object);
      const found = differences(normalize(one), normalize(other), "");
      if (found.length > 0 && remaining[`${object.apiVersion} ${object.kind}`] === undefined) {
        const name = `${object.apiVersion} ${object.kind} ${object.metadata?.name}`;
        different.push([name, ...found.slice(0, 8)].join("\n"));
      }
    }
    console.log(`${objects.length} objects created on both servers, ${different.length} different`);
    expect(different.join("\n")).toBe("");
  });

  test("TAB1, TAB2: the table of every object has the columns and cells of a real server", {
    timeout: 480_000,
  }, async () => {
    const different: string[] = [];
    for (const object of objects) {
      const path = `${pathOf(object)}/${object.metadata?.name}`;
      const [one, other] = await both("GET", path, undefined, asTable);
      const found = differences(tableOf(one), tableOf(other), "");
      const name = `${object.apiVersion} ${object.kind}`;
      if (found.length > 0 && remaining[`table of ${name}`] === undefined) {
        different.push([`${name} ${object.metadata?.name}`, ...found.slice(0, 8)].join("\n"));
      }
    }
    console.log(`${objects.length} tables on both servers, ${different.length} different`);
    expect(different.join("\n")).toBe("");
  });

  test("TAB1: every listable kind has the columns of a real server, empty or not", {
    timeout: 480_000,
  }, async () => {
    const different: string[] = [];
    let compared = 0;
    for (const { apiVersion, kind, plural, verbs } of builtInResources as ResourceDescriptor[]) {
      const root = apiVersion.includes("/") ? "/apis" : "/api";
      const path = `${root}/${apiVersion}/${plural}`;
      const responses = verbs.includes("list") ? await both("GET", path, undefined, asTable) : [];
      const [one, other] = responses.map((response) => tableOf(response).columns);
      if (
        one === undefined ||
        one.length === 0 ||
        remaining[`table of ${apiVersion} ${kind}`] !== undefined
      ) {
        continue;
      }
      compared += 1;
      const found = differences(one, other, "");
      if (found.length > 0) {
        different.push([`${apiVersion} ${kind}`, ...found].join("\n"));
      }
    }
    console.log(`columns of ${compared} kinds compared, ${different.length} different`);
    expect(compared).toBeGreaterThan(50);
    expect(different.join("\n")).toBe("");
  });

  async function both(method: "GET" | "POST", path: string, body?: unknown, accept?: string) {
    return Promise.all(
      subjects.map(async ({ client }) => {
        const request = { method, path: `${path}?fieldManager=test`, body };
        const response = await rawRequest(
          { client, signal },
          accept === undefined ? request : { ...request, accept },
        );
        return response.status === 404 ? {} : response.json();
      }),
    );
  }
});

function pathOf({ apiVersion = "", kind }: KubeObject): string {
  const descriptor = builtInResources.find(
    (one) => one.apiVersion === apiVersion && one.kind === kind,
  );
  const root = apiVersion.includes("/") ? "/apis" : "/api";
  const home = descriptor?.scope === "Namespaced" ? `/namespaces/${namespace}` : "";
  return `${root}/${apiVersion}${home}/${descriptor?.plural}`;
}

interface Table {
  readonly columnDefinitions?: readonly { readonly description: string }[];
  readonly rows?: readonly { readonly cells: readonly unknown[] }[];
}

/** Returns columns and cells, without the column descriptions, which may differ. */
function tableOf(response: Table | undefined) {
  return {
    columns: response?.columnDefinitions?.map(({ description, ...column }) => column),
    cells: response?.rows?.map(({ cells }) => cells.map(cellOf)),
  };
}

function cellOf(cell: unknown): unknown {
  return typeof cell === "string"
    ? (normalize(cell) as string)
        .replace(/^(\d+[smhdy])+$/, "<age>")
        .replace(/:3\d{4}\//g, ":<port>/")
    : cell;
}
