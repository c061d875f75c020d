import type { KubeList, Live } from "@typekube/api";
import { SelfSubjectAccessReview } from "@typekube/api/authorization/v1";
import { Pod } from "@typekube/api/core/v1";
import type { PartialObjectMetadata } from "@typekube/api/meta/v1";
import {
  type DeleteResult,
  type Encoding,
  type ItemWalk,
  isTable,
  type MetadataClient,
  mergePatch,
  type Table,
  type UnknownKind,
  type WatchEvent,
} from "@typekube/client";
import type { Client } from "typekube";
import { describe, expectTypeOf, test } from "vitest";

declare const client: Client;

const pods = () => client.resource(Pod, "prod");
const widgets = () => client.resource({ apiVersion: "x.io/v1", kind: "Widget" }, "prod");
type Metadata = Live<PartialObjectMetadata>;

describe("encodings", () => {
  test("ALT1: the four wire encodings and auto, for reads and writes", () => {
    expectTypeOf<Encoding>().toEqualTypeOf<"auto" | "cbor" | "json" | "protobuf" | "yaml">();
    pods().get("a", { encoding: "cbor" });
    pods().create({}, { encoding: "yaml" });
    pods().delete("a", { encoding: "cbor" });
    client.with({ encoding: "protobuf" });
    // @ts-expect-error TAB7: tables are JSON
    pods().table({ encoding: "protobuf" });
    // @ts-expect-error no such encoding
    pods().get("a", { encoding: "xml" });
  });
});

describe("tables", () => {
  test("TAB4: a table or the list, distinguished by isTable", async () => {
    const response = await pods().table();
    expectTypeOf(response).toEqualTypeOf<KubeList<Live<Pod>> | Table<Metadata>>();
    if (isTable(response)) {
      expectTypeOf(response).toEqualTypeOf<Table<Metadata>>();
      expectTypeOf(response.rows[0]?.object).toEqualTypeOf<Metadata | undefined>();
    } else {
      expectTypeOf(response.items).toEqualTypeOf<Live<Pod>[]>();
    }
  });

  test("TAB5: always a table without the fallback", () => {
    expectTypeOf(pods().table({ fallback: false })).resolves.toEqualTypeOf<Table<Metadata>>();
    expectTypeOf(pods().tableOf("a", { fallback: false })).resolves.toEqualTypeOf<
      Table<Metadata>
    >();
  });

  test("includeObject determines the objects in rows", async () => {
    expectTypeOf(pods().table({ includeObject: "Object", fallback: false })).resolves.toEqualTypeOf<
      Table<Live<Pod>>
    >();
    expectTypeOf(pods().table({ includeObject: "None", fallback: false })).resolves.toEqualTypeOf<
      Table<null>
    >();
    const one = await pods().tableOf("a", { includeObject: "Object" });
    expectTypeOf(one).toEqualTypeOf<Live<Pod> | Table<Live<Pod>>>();
    if (!isTable(one)) {
      expectTypeOf(one).toEqualTypeOf<Live<Pod>>();
    }
  });

  test("TAB9: a table of a kind known only at run time has rows with metadata", async () => {
    const response = await widgets().table();
    expectTypeOf(response).toEqualTypeOf<KubeList<Live<UnknownKind>> | Table<Metadata>>();
    // @ts-expect-error RV14: a match needs a version
    widgets().table({ resourceVersionMatch: "Exact" });
  });
});

describe("metadata", () => {
  test("ALT22: methods that read, patch and delete, over metadata only", () => {
    const metadata = pods().metadata();
    expectTypeOf<keyof typeof metadata>().toEqualTypeOf<
      "delete" | "deleteCollection" | "find" | "get" | "items" | "list" | "patch" | "watch"
    >();
    expectTypeOf<Awaited<ReturnType<typeof metadata.get>>>().toEqualTypeOf<Metadata>();
    expectTypeOf<Awaited<ReturnType<typeof metadata.list>>>().toEqualTypeOf<KubeList<Metadata>>();
    expectTypeOf<ReturnType<typeof metadata.items>>().toEqualTypeOf<
      ItemWalk<PartialObjectMetadata>
    >();
    expectTypeOf<ReturnType<typeof metadata.watch>>().toEqualTypeOf<
      AsyncIterable<WatchEvent<PartialObjectMetadata>>
    >();
    expectTypeOf(metadata.patch("a", mergePatch({}))).resolves.toEqualTypeOf<Metadata>();
    expectTypeOf(metadata.delete).returns.resolves.toEqualTypeOf<
      DeleteResult<PartialObjectMetadata>
    >();
    expectTypeOf<Metadata["kind"]>().toEqualTypeOf<"PartialObjectMetadata">();
    // @ts-expect-error no spec
    metadata.get("a").then(({ spec }) => spec);
  });

  test("only the methods of the resource's verbs", () => {
    expectTypeOf(widgets().metadata()).toEqualTypeOf<MetadataClient>();
    const everywhere = client.resource(Pod).metadata();
    expectTypeOf<keyof typeof everywhere>().toEqualTypeOf<"items" | "list" | "watch">();
    // @ts-expect-error nothing to read
    client.resource(SelfSubjectAccessReview).metadata;
  });
});
