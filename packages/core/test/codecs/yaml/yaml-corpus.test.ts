import { deepStrictEqual } from "node:assert/strict";
import { codecs } from "@typekube/core/internal";
import { chunksOf, inChunks } from "@typekube/test-support/bytes";
import { capture, captureNames, hasCaptures } from "@typekube/test-support/captures";
import { goldenObjects, hasCorpus } from "@typekube/test-support/golden-corpus";
import { readList } from "@typekube/test-support/lists";
import { describe, expect, it } from "vitest";

const { json, yaml } = codecs;

describe.runIf(hasCorpus).each(["v1.34.0", "v1.35.0", "v1.37.1"])("golden corpus %s", (release) => {
  const objects = hasCorpus ? goldenObjects(release) : [];

  it("ALT1, ALT9: every object is the same from YAML and JSON, and after a round trip through YAML", async () => {
    let read = 0;
    let written = 0;
    let roundtrips = 0;
    for (const object of objects) {
      const { expected, name } = object;
      const fromJson = await json.decode(object.json);
      deepStrictEqual(await yaml.decode(object.yaml), fromJson, name);
      read++;
      deepStrictEqual(await yaml.decode(await yaml.encode(fromJson)), fromJson, name);
      written++;
      if (expected.yaml !== object.yaml && !expected.yaml.equals(object.yaml)) {
        deepStrictEqual(await yaml.decode(expected.yaml), await json.decode(expected.json), name);
        roundtrips++;
      }
    }
    console.log(
      `golden ${release}: ${objects.length} objects, ${read} read from YAML as their JSON, ${written} written as YAML and ` +
        `read again, ${roundtrips} that today's types change`,
    );
    expect(read).toBe(objects.length);
    expect(read).toBeGreaterThan(150);
  });
});

describe.runIf(hasCaptures)("recorded YAML responses", () => {
  it("ALT1, ALT9: bodies and lists are the same as from JSON", async () => {
    const names = new Set(captureNames(/./));
    const pairs = [...names].filter(
      (name) => name.endsWith("-yaml") && names.has(name.replace(/-yaml$/, "-json")),
    );
    let items = 0;
    for (const name of pairs) {
      const body = capture(name);
      const jsonBody = capture(name.replace(/-yaml$/, "-json"));
      const whole = (await json.decode(jsonBody)) as { items?: unknown };
      deepStrictEqual(await yaml.decode(body), whole, name);
      if (Array.isArray(whole.items)) {
        const list = await readList(yaml, inChunks(body, 1000));
        deepStrictEqual(list, await readList(json, chunksOf(jsonBody)), name);
        items += list.items.length;
      }
    }
    console.log(`YAML captures: ${pairs.length} as their JSON, ${items} items of lists`);
    expect(items).toBeGreaterThan(0);
  });
});
