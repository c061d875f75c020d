import type { KubeObject } from "@typekube/api";
import { type ApiServer, startApiServer, type VirtualClock } from "@typekube/apiserver";
import { codecs, collectBytes } from "@typekube/core/internal";
import { hasCaptures } from "@typekube/test-support/captures";
import { describe, expect, test } from "vitest";
import { differences } from "../write-sequences/run-sequence.js";
import { comparable, onlyWhatIsIn } from "./comparable.js";
import { type ExplainedDifference, explainedDifferences } from "./explained-differences.js";
import {
  type RecordedExchange,
  type RecordedResponse,
  recordedExchanges,
} from "./recorded-exchanges.js";
import { transcripts } from "./transcripts.js";

/** Virtual milliseconds per step while a response is read. */
const stepMs = 250;
const maxBytes = 64 * 1024 * 1024;

if (!hasCaptures) {
  console.warn(
    "SKIPPED: RECORDED EXCHANGES ARE NOT REPLAYED, there is no folder captures in TYPEKUBE_CORPUS",
  );
}

const used = new Set<ExplainedDifference>();

describe.runIf(hasCaptures)("recorded exchanges, replayed", () => {
  for (const {
    server,
    title,
    version,
    featureGates,
    seeds,
    order,
    compactedBefore,
    keepsRecorded,
    lacked = [],
  } of transcripts) {
    test(`ES30: the embedded server's responses equal those of ${title}`, async () => {
      const exchanges = recordedExchanges(server, order);
      const load = seeds();
      await using api = await startApiServer({ version, clock: "virtual", load, featureGates });
      for (const path of lacked) {
        await api.send({ method: "DELETE", path, headers: {}, mode: "call" });
      }
      const counts = { same: 0, explained: 0, different: 0 };
      const found: string[] = [];
      for (const exchange of exchanges) {
        if (compactedBefore.includes(exchange.name)) {
          api.compact();
        }
        const response = await replay(api, exchange);
        if (keepsRecorded && exchange.method !== "GET" && exchange.response.status < 300) {
          await keep(api, exchange.response);
        }
        const [one, other] = await Promise.all(
          [exchange.response, response].map((each) => comparable(exchange, each)),
        );
        const all = differences(one, seen(exchange, one, other), "").map((line) => line.trim());
        const left = all.filter((line) => !isExplained(exchange.name, line));
        counts[left.length > 0 ? "different" : all.length > 0 ? "explained" : "same"] += 1;
        if (left.length > 0) {
          found.push([exchange.name, ...left.slice(0, 12)].join("\n    "));
        }
      }
      console.log(
        `${exchanges.length} exchanges with ${title}: ${counts.same} answered the same, ` +
          `${counts.explained} with explained differences, ${counts.different} different`,
      );
      expect(exchanges.length).toBeGreaterThan(20);
      expect(found.join("\n")).toBe("");
    });
  }

  test("every explained difference occurs", () => {
    const unused = explainedDifferences.filter((one) => !used.has(one));
    expect(unused.map(({ reason }) => reason)).toEqual([]);
  });
});

/**
 * Reduces catalogs to what was recorded: the embedded server has all of Kubernetes, and the namespaces of every
 * cluster.
 */
function seen({ path }: RecordedExchange, recorded: unknown, response: unknown): unknown {
  const isCatalog =
    /^\/(api|apis(\/[^/]+(\/[^/]+)?)?|api\/v1|openapi\/.*|api\/v1\/namespaces)(\?|$)/;
  return isCatalog.test(path) ? onlyWhatIsIn(recorded, response) : response;
}

function isExplained(name: string, line: string): boolean {
  const explanation = explainedDifferences.find(
    ({ exchanges, difference }) => exchanges.test(name) && difference.test(line),
  );
  if (explanation !== undefined) {
    used.add(explanation);
  }
  return explanation !== undefined;
}

/** Stores the object of a recorded response in place of the current one. */
async function keep(api: ApiServer, { type, body }: RecordedResponse): Promise<void> {
  const object = (await codecs.forContentType(type)?.decode(body)) as KubeObject;
  if (object.kind !== "Status") {
    await api.load([object]);
  }
}

/** Sends a request again and reads the response to its end, while the clock advances for watches that wait for it. */
async function replay(
  api: ApiServer<VirtualClock>,
  { method, path, headers, body }: RecordedExchange,
): Promise<RecordedResponse> {
  let isRead = false;
  const reading = (async () => {
    const response = await api.send({ method, path, headers, body, mode: "call" });
    const bytes = await collectBytes(response.body, maxBytes, "maxBodyBytes");
    return { status: response.status, type: response.headers["content-type"] ?? "", body: bytes };
  })().finally(() => {
    isRead = true;
  });
  while (!isRead) {
    await api.clock.advance(stepMs);
  }
  return reading;
}
