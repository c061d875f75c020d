import assert from "node:assert/strict";
import type { ConformanceCase, ConformanceContext } from "../conformance-case.js";
import { accepted, rawCollection, refused } from "../support/raw-collection.js";

const eventTime = "2026-01-01T00:00:00.000000Z";
const elsewhere = 'involvedObject.namespace: Invalid value: "": does not match event.namespace';
const word =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

function modern({ namespace }: Pick<ConformanceContext, "namespace">) {
  return {
    metadata: { name: "a" },
    eventTime,
    action: "Testing",
    reason: "Tested",
    type: "Normal",
    reportingController: "x.io/tester",
    reportingInstance: "tester-0",
    regarding: { kind: "Pod", name: "p", namespace },
    note: "a note",
  };
}

/** Events: what controllers write most and look at least. */
export const events: readonly ConformanceCase[] = [
  {
    id: "event-home",
    name: "an Event about something without a namespace lives in default",
    async run(context) {
      const involvedObject = { kind: "Node", name: "n" };
      const event = { metadata: { generateName: "e." }, involvedObject, reason: "R" };
      const here = rawCollection(context, "/api/v1/%/events");
      assert.equal((await refused(here.post("", event)))[1].includes(elsewhere), true);
      const home = rawCollection(context, "/api/v1/namespaces/default/events");
      await accepted(home.post("?dryRun=All", event));
    },
  },
  {
    id: "event-new-form",
    name: "an Event of events.k8s.io says who, what and when, and nothing of the old form",
    async run(context) {
      const collection = rawCollection(context, "/apis/events.k8s.io/v1/%/events");
      const unset = 'Invalid value: "": needs to be unset';
      const faults: readonly (readonly [object, string])[] = [
        [{ eventTime: null }, "eventTime: Required value"],
        [{ action: "" }, "action: Required value"],
        [{ reason: "" }, "reason: Required value"],
        [{ reportingInstance: "" }, "reportingInstance: Required value"],
        [
          { reportingController: "bad name" },
          `reportingController: Invalid value: "bad name": ${word}`,
        ],
        [{ type: "Odd" }, 'type: Invalid value: "": has invalid value: Odd'],
        [
          { note: "x".repeat(1025) },
          'message: Invalid value: "": can have at most 1024 characters',
        ],
        [{ reason: "x".repeat(129) }, 'reason: Invalid value: "": can have at most 128 characters'],
        [{ deprecatedCount: 1 }, `count: ${unset}`],
        [{ deprecatedSource: { component: "c" } }, `source: ${unset}`],
        [
          { series: { count: 1 } },
          '[series.count: Invalid value: "": should be at least 2, series.lastObservedTime: Required value]',
        ],
        [{ regarding: {} }, elsewhere],
      ];
      for (const [fault, why] of faults) {
        const answer = collection.post("?dryRun=All", { ...modern(context), ...fault });
        assert.deepEqual(await refused(answer), [422, `Event "a" is invalid: ${why}`]);
      }
    },
  },
  {
    id: "event-new-form-fixed",
    name: "of an Event of events.k8s.io the series alone changes",
    async run(context) {
      const collection = rawCollection(context, "/apis/events.k8s.io/v1/%/events");
      await accepted(collection.post("", modern(context)));
      const fixed: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
        [{ note: "z" }, 'message: Invalid value: "z": field is immutable'],
        [{ action: "z" }, 'action: Invalid value: "z": field is immutable'],
        [{ type: "Warning" }, 'type: Invalid value: "Warning": field is immutable'],
        [
          { related: { kind: "X" } },
          'related: Invalid value: {"Kind":"X","Namespace":"","Name":"","UID":"","APIVersion":"","ResourceVersion":"","FieldPath":""}: field is immutable',
        ],
      ];
      for (const [change, why] of fixed) {
        assert.deepEqual(await refused(collection.merge("/a", change)), [
          422,
          `Event "a" is invalid: ${why}`,
        ]);
      }
      await accepted(collection.merge("/a", { series: { count: 2, lastObservedTime: eventTime } }));
    },
  },
  {
    id: "event-old-group-new-form",
    name: "an Event of the core group with an eventTime is held to most of that",
    async run(context) {
      const { regarding, note, reportingController, ...rest } = modern(context);
      const event = { ...rest, involvedObject: regarding, message: note };
      const collection = rawCollection(context, "/api/v1/%/events");
      const missing = await refused(collection.post("", event));
      assert.deepEqual(missing, [
        422,
        `Event "a" is invalid: [reportingComponent: Required value, reportingComponent: Invalid value: "": name part must be non-empty, reportingComponent: Invalid value: "": ${word}]`,
      ]);
      await accepted(collection.post("", { ...event, reportingComponent: reportingController }));
    },
  },
];
