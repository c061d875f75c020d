// Modules of `typekube generate`, with each construct of definitions, under each compiler.
import type { Client, KindOf } from "typekube";
import {
  Gadget,
  type GadgetSpec,
} from "../../../packages/crd/test/generate/generated/tricky.typekube.dev/v1.js";

declare const client: Client;

const spec: GadgetSpec = { color: "red", source: { image: "shop:1" }, "template-name": "a" };
const created = await client.resource(Gadget, "default").create({ spec });
export const color: "" | "green-ish" | "red" = created.spec.color;
export const named: KindOf<{ apiVersion: "tricky.typekube.dev/v1"; kind: "Gadget" }> = { spec };
// @ts-expect-error: exactly one of git and image
export const both: GadgetSpec = { ...spec, source: { image: "a", git: { url: "b" } } };
