import { defineResource } from "typekube/crd";
import { expect, test } from "vitest";
import * as z from "zod";
import { startApiServer } from "../src/index.js";

const widget = (more: object = {}) =>
  defineResource({
    group: "example.com",
    version: "v1",
    kind: "Widget",
    spec: z.object({ size: z.int().min(1), color: z.string().default("red") }),
    ...more,
  });

test("ZS14: crds serves definitions from the start, with a virtual clock, too", async () => {
  const Widget = widget();
  await using api = await startApiServer({ crds: [Widget], clock: "virtual" });
  await using client = await api.client();
  const widgets = client.resource(Widget, "default");
  const created = await widgets.create({ metadata: { name: "a" }, spec: { size: 1 } });
  expect(created.spec).toEqual({ size: 1, color: "red" });
  await expect(
    widgets.create({ metadata: { name: "b" }, spec: { size: 0 } }),
  ).rejects.toMatchObject({
    code: "Invalid",
    causes: [{ field: "spec.size" }],
  });
});

test("ZS14: objects of the kinds can be loaded together with their definitions", async () => {
  const load = [
    { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "a" }, spec: { size: 2 } },
  ];
  await using api = await startApiServer({ crds: [widget()], load });
  await using client = await api.client();
  expect((await client.resource(widget(), "default").get("a")).spec.size).toBe(2);
});

test("ZS15: two definitions of one kind are named", async () => {
  const crds = [widget(), widget({ plural: "gizmos" })];
  await expect(startApiServer({ crds })).rejects.toThrow(
    "crds: widgets.example.com and gizmos.example.com both define Widget of example.com",
  );
  await expect(startApiServer({ crds: [widget().crd()] as never })).rejects.toThrow(
    "crds: must be values of defineResource()",
  );
  await expect(startApiServer({ crds: widget() as never })).rejects.toThrow(
    "must be a list of values of defineResource()",
  );
});
