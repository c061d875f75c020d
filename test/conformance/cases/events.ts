import assert from "node:assert/strict";
import type { KubeList, KubeObject } from "@typekube/api";
import type { ConformanceCase, ConformanceContext } from "../conformance-case.js";
import { accepted, type RawCollection, rawCollection, refused } from "../support/raw-collection.js";

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

/** Cases for Events, the objects that controllers write most. */
export const events: readonly ConformanceCase[] = [
  {
    id: "event-home",
    name: "an Event about a cluster-scoped object must be in the namespace default",
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
    name: "an Event of events.k8s.io requires the new fields and rejects the deprecated ones",
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
        const response = collection.post("?dryRun=All", { ...modern(context), ...fault });
        assert.deepEqual(await refused(response), [422, `Event "a" is invalid: ${why}`]);
      }
    },
  },
  {
    id: "event-new-form-fixed",
    name: "all fields of an Event of events.k8s.io but the series are immutable",
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
    name: "an Event of the core group with an eventTime is validated like one of events.k8s.io, with fewer rules",
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
  {
    id: "event-two-groups",
    name: "an Event written in one group can be read, selected, changed and deleted in the other",
    async run(context) {
      const { namespace } = context;
      const old = rawCollection(context, "/api/v1/%/events");
      const now = rawCollection(context, "/apis/events.k8s.io/v1/%/events");
      const { regarding, note, reportingController, ...same } = modern(context);
      const { metadata } = await accepted<KubeObject>(now.post("", modern(context)));
      const shown = await accepted<KubeObject>(old.get("/a"));
      const { managedFields, ...kept } = metadata ?? {};
      assert.deepEqual(
        { ...shown, metadata: { ...shown.metadata, managedFields } },
        {
          ...same,
          kind: "Event",
          apiVersion: "v1",
          metadata: { ...kept, managedFields },
          involvedObject: regarding,
          message: note,
          reportingComponent: reportingController,
          source: {},
          firstTimestamp: null,
          lastTimestamp: null,
        },
      );
      const subject = { kind: "Pod", name: "q", namespace };
      const time = "2026-01-01T00:00:00Z";
      const source = { component: "c", host: "h" };
      const { metadata: second } = await accepted<KubeObject>(
        old.post("", {
          metadata: { name: "b" },
          involvedObject: subject,
          reason: "R",
          message: "m",
          source,
          firstTimestamp: time,
          lastTimestamp: time,
          count: 3,
          type: "Normal",
        }),
      );
      assert.deepEqual(await accepted(now.get("/b")), {
        kind: "Event",
        apiVersion: "events.k8s.io/v1",
        metadata: second,
        eventTime: null,
        regarding: subject,
        reason: "R",
        note: "m",
        type: "Normal",
        deprecatedSource: source,
        deprecatedFirstTimestamp: time,
        deprecatedLastTimestamp: time,
        deprecatedCount: 3,
      });
      const names = async (collection: RawCollection, selector: string) => {
        const list = collection.get(`?fieldSelector=${encodeURIComponent(selector)}`);
        return (await accepted<KubeList<KubeObject>>(list)).items.map((one) => one.metadata?.name);
      };
      assert.deepEqual(await names(old, "metadata.name!=x"), ["a", "b"]);
      assert.deepEqual(await names(now, "metadata.name!=x"), ["a", "b"]);
      assert.deepEqual(await names(old, "involvedObject.name=p"), ["a"]);
      assert.deepEqual(await names(now, "regarding.name=q"), ["b"]);
      await accepted(old.merge("/b", { count: 4 }));
      assert.equal((await accepted(now.get("/b")))["deprecatedCount"], 4);
      const series = { count: 2, lastObservedTime: eventTime };
      await accepted(now.merge("/a", { series }));
      assert.deepEqual((await accepted(old.get("/a")))["series"], series);
      // managedFields entries of the other group are dropped: its fields have other names there.
      const { metadata: last } = await accepted<KubeObject>(old.merge("/a", { count: 5 }));
      assert.deepEqual(
        last?.managedFields?.map(({ apiVersion }) => apiVersion),
        ["v1"],
      );
      await accepted(now.delete("/b"));
      assert.equal((await refused(old.get("/b")))[0], 404);
    },
  },
];
