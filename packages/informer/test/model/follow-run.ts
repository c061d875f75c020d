import type { Live } from "@typekube/api";
import { createVirtualClock } from "@typekube/apiserver";
import { followSource } from "@typekube/informer/internal";
import { randomFrom } from "@typekube/test-support/mixed-random";
import { MapReader } from "./map-reader.js";
import { type Plan, quietPartMs, quietParts, type Step } from "./model-plan.js";
import { type ModelFailure, modelServer } from "./model-run.js";
import type { Thing } from "./model-server.js";
import { contentOf } from "./model-view.js";
import { show } from "./rebuilding-handler.js";

/** Runs a plan against two readers of `follow` until its first failure. Steps that need an informer do nothing. */
export async function runFollowPlan({
  seed,
  setting,
  steps,
}: Plan): Promise<ModelFailure | undefined> {
  const server = modelServer(setting);
  const clock = createVirtualClock();
  const stop = new AbortController();
  const expected = (version: number) =>
    contentOf(server.chosenAt(version), { ...setting, transform: "none" });
  // One iterable, two iterations: each has its own watch.
  const events = followSource<Thing>(
    server,
    {
      streamingList: setting.streamingList,
      random: randomFrom(seed),
      maxBufferedEvents: seed % 4,
      maxBufferedObjects: seed % 3 === 0 ? 2 : 100,
      signal: stop.signal,
      ...(setting.pageSize ? { pageSize: setting.pageSize } : {}),
    },
    clock,
  );
  const readers = [new MapReader(events, expected), new MapReader(events, expected)];
  readers[0]?.read(1e9);

  const quiet = async (): Promise<string[]> => {
    let problems: string[] = [];
    for (let part = 0; part < quietParts; part++) {
      for (const reader of readers) {
        reader.read(1_000);
      }
      server.deliver();
      await clock.advance(part === 0 ? 0 : quietPartMs);
      const due = listOf(expected(server.version));
      problems = readers.flatMap(({ known }, of) =>
        listOf(known) === due ? [] : [`reader ${of} has [${listOf(known)}], not [${due}]`],
      );
      if (problems.length === 0 && server.faults.length === 0) {
        break;
      }
    }
    readers[1]?.pause();
    return problems;
  };
  const take = async (step: Step): Promise<string[]> => {
    switch (step.do) {
      case "write":
        server.write(step.name, step.value);
        break;
      case "deliver":
        server.deliver();
        break;
      case "fault":
        // `follow` delivers events that a server repeats; only an informer leaves them out.
        if (step.fault.kind !== "repeat") {
          server.strike(step.fault);
        }
        break;
      case "compact":
        server.compact();
        break;
      case "pass":
        await clock.advance(step.ms);
        break;
      case "read":
        readers[1]?.read(step.times);
        break;
      case "quiet":
        return quiet();
      default:
    }
    await clock.advance(0);
    return [];
  };
  try {
    for (const [at, step] of steps.entries()) {
      const found = await take(step);
      const problems = [...found, ...readers.flatMap((reader) => reader.problems.splice(0))];
      if (problems.length > 0) {
        return { step: at, problems };
      }
    }
    return undefined;
  } finally {
    stop.abort();
    for (const reader of readers) {
      reader.read(1e9);
    }
    await Promise.all(readers.map(({ reading }) => reading));
  }
}

const listOf = (objects: ReadonlyMap<string, Live<Thing>>) =>
  [...objects.values()].map(show).sort().join(" ");
