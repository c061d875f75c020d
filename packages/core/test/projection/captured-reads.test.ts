import { deepStrictEqual } from "node:assert/strict";
import {
  type Codec,
  codecs,
  hasProjectedObject,
  type Projection,
  projectBody,
  projectionOf,
  projectValue,
  type WireWatchEvent,
} from "@typekube/core/internal";
import { chunksOf, inChunks } from "@typekube/test-support/bytes";
import { capture, captureNames, captureType, hasCaptures } from "@typekube/test-support/captures";
import { readList } from "@typekube/test-support/lists";
import { seededRandom } from "@typekube/test-support/seeded-random";
import { describe, expect, it } from "vitest";
import { randomFields } from "./random-fields.js";

const seed = Number(process.env["TYPEKUBE_SEED"] ?? 36);
const rounds = Number(process.env["TYPEKUBE_PROJECTIONS"] ?? 8);

/** Media types of bodies, by codec. Discovery and OpenAPI documents have their own. */
const mediaTypes = {
  json: /^application\/json *(;|$)/,
  protobuf: /^application\/vnd\.kubernetes\.protobuf *(;|$)/,
  cbor: /^application\/cbor(-seq)? *(;|$)/,
  yaml: /^application\/yaml *(;|$)/,
} as const;

type Body = Record<string, unknown>;

/** The events of a recorded stream, and the code of the error with which a stream that was cut ends. */
interface Stream {
  readonly events: readonly WireWatchEvent[];
  readonly failure: string | undefined;
}

async function readStream(
  codec: Codec,
  source: AsyncIterable<Uint8Array>,
  projection?: Projection,
): Promise<Stream> {
  const events: WireWatchEvent[] = [];
  try {
    for await (const batch of codec.decodeWatch(source, { projection })) {
      events.push(...batch);
    }
  } catch (error) {
    return { events, failure: (error as { code?: string }).code ?? String(error) };
  }
  return { events, failure: undefined };
}

function recorded(codec: Codec): string[] {
  return captureNames(/./).filter((name) => mediaTypes[codec.name].test(captureType(name)));
}

/** Returns whether the body is a stream of events. Some watches were answered with a list or a Status. */
function isStream(name: string): boolean {
  return /watch/.test(name) && !/ignored|accept-cborseq/.test(name);
}

const isList = (body: Body) => /List$/.test(String(body["kind"])) && Array.isArray(body["items"]);

describe.runIf(hasCaptures).each([codecs.json, codecs.protobuf, codecs.cbor, codecs.yaml])(
  "recorded responses, read as $name with some fields",
  (codec) => {
    it(`every object and list equals the projection of the whole one (seed ${seed})`, async () => {
      const random = seededRandom(seed);
      const counts = { objects: 0, lists: 0, items: 0 };
      const skipped: string[] = [];
      for (const name of recorded(codec).filter((one) => !isStream(one))) {
        const bytes = capture(name);
        let whole: Body;
        try {
          whole = (await codec.decode(bytes)) as Body;
        } catch (error) {
          skipped.push(`${name} (${(error as Error).message.slice(0, 60)})`);
          continue;
        }
        const items = isList(whole) ? (whole["items"] as unknown[]) : [];
        counts.items += items.length;
        counts[isList(whole) ? "lists" : "objects"]++;
        for (let round = 0; round < rounds; round++) {
          const sample = items[Math.floor(random() * items.length)] ?? whole;
          const fields = randomFields(sample, random);
          const projection = projectionOf(fields);
          const about = `${name} ${JSON.stringify(fields)}`;
          deepStrictEqual(
            await codec.decode(bytes, { projection }),
            projectBody(whole, projection),
            about,
          );
          if (!isList(whole)) {
            continue;
          }
          for (const shareEqual of [false, true]) {
            const all = await readList(codec, chunksOf(bytes));
            const size = 1 + Math.floor(random() * bytes.length);
            deepStrictEqual(
              await readList(codec, inChunks(bytes, size), { projection, shareEqual }),
              { ...all, items: all.items.map((one) => projectValue(one, projection.root)) },
              `${about} in chunks of ${size}, shareEqual ${shareEqual}`,
            );
          }
        }
      }
      console.log(
        `recorded as ${codec.name}, seed ${seed}, ${rounds} projections each: ${JSON.stringify(counts)}; SKIPPED: ${skipped.join(", ") || "none"}`,
      );
      expect(counts.objects).toBeGreaterThan(0);
      expect(counts.items).toBeGreaterThan(0);
    }, 120_000);
  },
);

// No server streams YAML.
describe.runIf(hasCaptures).each([codecs.json, codecs.protobuf, codecs.cbor])(
  "recorded watches, read as $name with some fields",
  (codec) => {
    it(`every event equals the projection of its object (seed ${seed})`, async () => {
      const random = seededRandom(seed);
      const counts = { streams: 0, events: 0, cut: 0 };
      const kept = new Set<string>();
      const skipped: string[] = [];
      for (const name of recorded(codec).filter(isStream)) {
        const bytes = capture(name);
        const whole = await readStream(codec, chunksOf(bytes));
        if (whole.events.length === 0) {
          skipped.push(`${name} (${whole.failure ?? "no events"})`);
          continue;
        }
        counts.streams++;
        counts.events += whole.events.length;
        counts.cut += whole.failure === undefined ? 0 : 1;
        for (let round = 0; round < rounds; round++) {
          const { object } = whole.events[
            Math.floor(random() * whole.events.length)
          ] as WireWatchEvent;
          const fields = randomFields(object, random);
          const projection = projectionOf(fields);
          const size = 1 + Math.floor(random() * bytes.length);
          const events = whole.events.map((event) => {
            const isProjected = hasProjectedObject(event.type);
            kept.add(`${event.type} ${isProjected ? "projected" : "whole"}`);
            return isProjected
              ? { ...event, object: projectValue(event.object, projection.root) }
              : event;
          });
          deepStrictEqual(
            await readStream(codec, inChunks(bytes, size), projection),
            { events, failure: whole.failure },
            `${name} ${JSON.stringify(fields)} in chunks of ${size}`,
          );
        }
      }
      console.log(
        `recorded watches as ${codec.name}, seed ${seed}, ${rounds} projections each: ${JSON.stringify(counts)}, ${[...kept].sort().join(", ")}; SKIPPED: ${skipped.join(", ") || "none"}`,
      );
      expect(counts.events).toBeGreaterThan(0);
      expect(kept).toContain("ADDED projected");
      expect(kept).toContain("BOOKMARK whole");
    }, 120_000);
  },
);
