import assert from "node:assert/strict";
import { ConfigMap, Event } from "@typekube/api/core/v1";
import { Event as NewEvent } from "@typekube/api/events/v1";
import { isInvalid } from "@typekube/core";
import type { ConformanceCase } from "../conformance-case.js";
import { configMap } from "../support/objects.js";

/** Cases for names that the server generates. */
export const generateName: readonly ConformanceCase[] = [
  {
    id: "generate-name",
    name: "a generated name is the prefix with five random characters",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const names = new Set<string>();
      for (let count = 0; count < 5; count++) {
        const { metadata } = await configMaps.create({ metadata: { generateName: "made-" } });
        assert.match(metadata.name, /^made-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
        assert.equal(metadata.generateName, "made-");
        names.add(metadata.name);
      }
      assert.equal(names.size, 5);
    },
  },
  {
    id: "generate-name-both",
    name: "a name takes precedence over generateName",
    async run({ client, namespace }) {
      const { metadata } = await client
        .resource(ConfigMap, namespace)
        .create({ metadata: { name: "given", generateName: "made-" } });
      assert.equal(metadata.name, "given");
      assert.equal(metadata.generateName, "made-");
    },
  },
  {
    id: "generate-name-long",
    name: "a long prefix is truncated so that the name fits",
    async run({ client, namespace }) {
      const prefix = "x".repeat(100);
      const { metadata } = await client
        .resource(ConfigMap, namespace)
        .create({ metadata: { generateName: prefix } });
      assert.match(metadata.name, /^x{58}[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    },
  },
  {
    id: "generate-name-dry-run",
    name: "a dry run generates a name without reserving it",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const { metadata } = await configMaps.create(
        { metadata: { generateName: "made-" } },
        { dryRun: "All" },
      );
      assert.match(metadata.name, /^made-/);
      await configMaps.create(configMap(metadata.name));
    },
  },
  {
    id: "generate-name-events",
    name: "an Event of the core group may have any name that is valid in a path, one of events.k8s.io may not",
    async run({ client, namespace }) {
      const involvedObject = { kind: "Site", namespace, name: "a" };
      const events = client.resource(Event, namespace);
      const { metadata } = await events.create({
        metadata: { generateName: "a." },
        involvedObject,
      });
      assert.match(metadata.name, /^a\.[a-z0-9]{5}$/);
      await events.create({ metadata: { name: "A_b" }, involvedObject });
      const elsewhere = client.raw({
        method: "POST",
        path: `/api/v1/namespaces/${namespace}/events`,
        body: { metadata: { name: "a/b" }, involvedObject },
      });
      await assert.rejects(elsewhere, isInvalid);
      const refused = client.resource(NewEvent, namespace).create({
        metadata: { generateName: "a." },
        eventTime: "2026-01-01T00:00:00.000000Z",
        reportingController: "example.com/sites",
        reportingInstance: "one",
        action: "Made",
        reason: "Made",
        type: "Normal",
        regarding: involvedObject,
      });
      await assert.rejects(refused, isInvalid);
    },
  },
];
