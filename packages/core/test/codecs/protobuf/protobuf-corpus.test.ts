import { deepStrictEqual } from "node:assert/strict";
import { KubeError } from "@typekube/core";
import { codecs } from "@typekube/core/internal";
import { type GoldenObject, goldenObjects, hasCorpus } from "@typekube/test-support/golden-corpus";
import { describe, expect, it } from "vitest";

// WatchEvent is framing, not an object: its golden envelope has an empty TypeMeta. The watch tests cover it.
const framing = new Set(["core.v1.WatchEvent"]);

/** Byte fields that were added later: the wire does not distinguish a server without the field from an empty field. */
const nullsOfOlderServers: ReadonlyMap<string, string> = new Map([
  ["certificates.k8s.io.v1beta1.PodCertificateRequest", "stubPKCS10Request"],
]);

function withoutNull(object: unknown, field: string | undefined): unknown {
  const { spec } = object as { spec?: Record<string, unknown> };
  if (field === undefined || spec?.[field] !== null) {
    return object;
  }
  const { [field]: _, ...rest } = spec;
  return { ...(object as object), spec: rest };
}

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

  it("ALT1, ALT11, ALT14: every object decodes from protobuf to its JSON and encodes back to its bytes", async () => {
    const unknown: string[] = [];
    let decoded = 0;
    let encoded = 0;
    for (const object of objects) {
      if (await isUnknownKind(object)) {
        unknown.push(object.name);
        continue;
      }
      const { expected } = object;
      let hasUnknownField = false;
      const value = await codecs.protobuf.decode(object.protobuf, {
        onUnknownField() {
          hasUnknownField = true;
        },
      });
      // A server writes the same object in protobuf and in JSON, without fields of later releases. Removed fields are
      // reported, so that the caller reads the JSON instead; the remaining fields are those of the current types.
      if (hasUnknownField) {
        expect(await codecs.json.decode(expected.json), object.name).toMatchObject(value as object);
      } else {
        const json = await codecs.json.decode(object.json);
        const added = nullsOfOlderServers.get(object.name);
        deepStrictEqual(withoutNull(value, added), withoutNull(json, added), object.name);
      }
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
