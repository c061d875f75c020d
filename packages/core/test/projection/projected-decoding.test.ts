import { deepStrictEqual } from "node:assert/strict";
import { type Codec, codecs, projectBody, projectionOf } from "@typekube/core/internal";
import { chunksOf, inChunks } from "@typekube/test-support/bytes";
import { type GoldenObject, goldenObjects, hasCorpus } from "@typekube/test-support/golden-corpus";
import { readList } from "@typekube/test-support/lists";
import { seededRandom } from "@typekube/test-support/seeded-random";
import { describe, expect, it } from "vitest";
import { randomFields, randomlyPruned } from "./random-fields.js";

const seed = Number(process.env["TYPEKUBE_SEED"] ?? 35);
const rounds = Number(process.env["TYPEKUBE_PROJECTIONS"] ?? 3);
const release = "v1.37.1";

type KubeBody = { kind: string; apiVersion: string; metadata?: Record<string, unknown> };

/** One object of each kind that has metadata. */
const objects = hasCorpus
  ? goldenObjects(release).filter(
      ({ name, json }) => json.includes('"metadata"') && !/\.(Status|\w*List)$/.test(name),
    )
  : [];

async function watched(
  codec: Codec,
  events: Uint8Array,
  projection: ReturnType<typeof projectionOf>,
) {
  const found = [];
  for await (const batch of codec.decodeWatch(inChunks(events, 1000), { projection })) {
    found.push(...batch);
  }
  return found;
}

/** Returns the object as the encoding gives it, or `undefined` for a kind that the encoding lacks. */
async function encoded(codec: Codec, golden: GoldenObject): Promise<Uint8Array | undefined> {
  if (codec === codecs.protobuf) {
    const isKnown = await codec.decode(golden.protobuf).then(
      () => true,
      () => false,
    );
    return isKnown ? golden.protobuf : undefined;
  }
  return codec === codecs.json ? golden.json : codec.encode(await codecs.json.decode(golden.json));
}

describe.runIf(hasCorpus).each([codecs.json, codecs.protobuf, codecs.cbor, codecs.yaml])(
  "projected reads of $name",
  (codec) => {
    it(`equal the projection of the whole object: every kind, random paths (seed ${seed})`, async () => {
      const random = seededRandom(seed);
      let compared = 0;
      for (const golden of objects) {
        const bytes = await encoded(codec, golden);
        if (bytes === undefined) {
          continue;
        }
        const whole = (await codec.decode(bytes)) as KubeBody;
        for (let round = 0; round < rounds; round++) {
          const fields = randomFields(whole, random);
          const projection = projectionOf(fields);
          const expected = projectBody(whole, projection);
          const about = `${golden.name} ${JSON.stringify(fields)}`;
          deepStrictEqual(await codec.decode(bytes, { projection }), expected, about);
          compared++;
          const event = { type: "MODIFIED", object: whole };
          const events = await codec.encodeWatchEvent(event);
          deepStrictEqual(
            await watched(codec, Buffer.concat([events, events, events]), projection),
            [1, 2, 3].map(() => ({ type: "MODIFIED", object: expected })),
            `watch of ${about}`,
          );
        }
      }
      console.log(
        `projected reads as ${codec.name}: ${compared} objects and watches, seed ${seed}`,
      );
      expect(compared).toBeGreaterThan(500);
    }, 120_000);

    it(`of objects with fields left out equal the projection of the whole object (seed ${seed})`, async () => {
      const random = seededRandom(seed);
      let compared = 0;
      for (const golden of objects) {
        const full = await codecs.json.decode(golden.json);
        for (let round = 0; round < rounds; round++) {
          const pruned = randomlyPruned(full, random) as KubeBody;
          const bytes = await codec.encode(pruned).catch(() => undefined);
          const event = await codec
            .encodeWatchEvent({ type: "ADDED", object: pruned })
            .catch(() => undefined);
          if (bytes === undefined || event === undefined) {
            continue;
          }
          const whole = (await codec.decode(bytes)) as KubeBody;
          const projection = projectionOf(randomFields(full, random));
          const expected = projectBody(whole, projection);
          const about = `${golden.name} ${projection.key} of ${JSON.stringify(whole)}`;
          deepStrictEqual(await codec.decode(bytes, { projection }), expected, about);
          deepStrictEqual(
            await watched(codec, Buffer.concat([event, event, event]), projection),
            [1, 2, 3].map(() => ({ type: "ADDED", object: expected })),
            about,
          );
          compared++;
        }
      }
      console.log(`projected reads of pruned objects as ${codec.name}: ${compared}, seed ${seed}`);
      expect(compared).toBeGreaterThan(200);
    }, 120_000);

    it(`of lists equal the projection of their items (seed ${seed})`, async () => {
      const random = seededRandom(seed);
      let compared = 0;
      for (const golden of objects) {
        const bytes = await encoded(codec, golden);
        if (bytes === undefined) {
          continue;
        }
        const { kind, apiVersion, ...item } = (await codec.decode(bytes)) as KubeBody;
        const list = {
          kind: `${kind}List`,
          apiVersion,
          metadata: { resourceVersion: "1" },
          items: [1, 2, 3, 4, 5].map((n) => ({
            ...item,
            metadata: { ...item.metadata, name: `n-${n}` },
          })),
        };
        const body = await codec.encode(list).catch(() => undefined);
        if (body === undefined) {
          continue;
        }
        for (const shareEqual of [false, true]) {
          const fields = randomFields(item, random);
          const projection = projectionOf(fields);
          const whole = await readList(codec, chunksOf(body), { managedFields: false });
          const read = await readList(codec, inChunks(body, 3000), {
            projection,
            shareEqual,
            managedFields: false,
          });
          deepStrictEqual(
            read,
            { ...whole, items: whole.items.map((one) => projectBody(one, projection)) },
            `${golden.name} ${JSON.stringify(fields)}`,
          );
          compared++;
        }
      }
      console.log(`projected lists as ${codec.name}: ${compared}, seed ${seed}`);
      expect(compared).toBeGreaterThan(200);
    }, 120_000);
  },
);
