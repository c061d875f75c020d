import { deepStrictEqual } from "node:assert/strict";
import { codecs, KubeError } from "@typekube/core";
import { describe, expect, it } from "vitest";
import { type GoldenObject, goldenObjects, hasCorpus } from "./golden-corpus.js";

// WatchEvent is framing, not an object: its golden envelope has an empty TypeMeta. It is tested with the watches.
const framing = new Set(["core.v1.WatchEvent"]);

async function isUnknownKind(object: GoldenObject): Promise<boolean> {
  try {
    await codecs.protobuf.decode(object.protobuf);
    return false;
  } catch (error) {
    if (error instanceof KubeError && error.message.includes("unknown kind")) {
      return true;
    }
    throw error;
  }
}

describe.runIf(hasCorpus).each(["v1.34.0", "v1.35.0", "v1.37.1"])("golden corpus %s", (release) => {
  const objects = hasCorpus ? goldenObjects(release).filter(({ name }) => !framing.has(name)) : [];

  it("ALT1, ALT11, ALT14: every object decodes from protobuf to what its JSON says and encodes back to its bytes", async () => {
    const unknown: string[] = [];
    let decoded = 0;
    let encoded = 0;
    for (const object of objects) {
      if (await isUnknownKind(object)) {
        unknown.push(object.name);
        continue;
      }
      const { expected } = object;
      const value = await codecs.protobuf.decode(object.protobuf);
      deepStrictEqual(value, await codecs.json.decode(expected.json), object.name);
      decoded++;
      const bytes = await codecs.protobuf.encode(value);
      expect(Buffer.compare(bytes, expected.protobuf), `${object.name} encodes to its bytes`).toBe(
        0,
      );
      encoded++;
    }
    console.log(
      `golden ${release}: ${objects.length} objects, ${decoded} decoded as their JSON, ${encoded} encoded to their bytes, ` +
        `${unknown.length} of kinds that no longer exist${unknown.length > 0 ? ` (${unknown.join(", ")})` : ""}`,
    );
    expect(decoded + unknown.length).toBe(objects.length);
    if (release === "v1.37.1") {
      expect(unknown).toEqual([]);
    }
  });
});
