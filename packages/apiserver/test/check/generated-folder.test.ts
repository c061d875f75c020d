import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { startApiServer } from "@typekube/apiserver";
import { type GenerateOptions, generate, readDefinitions } from "@typekube/crd/generate";
import { call } from "@typekube/test-support/api-calls";
import { expect, test } from "vitest";
import { widget, widgets } from "./lines-of.js";
import { runCheck } from "./run-check.js";

/** Writes a folder with manifests, and one that was generated. */
async function project(options: GenerateOptions) {
  const folder = await mkdtemp(join(tmpdir(), "typekube-generated-"));
  const { files } = generate(
    [await readDefinitions([{ name: "widgets", text: widgets }])],
    options,
  );
  const all = new Map<string, string>([
    ["deploy/a.yaml", widget("{size: 11}")],
    ...[...files].map(([path, text]) => [join("generated", path), text] as const),
  ]);
  for (const [path, text] of all) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return {
    generated: join(folder, "generated"),
    check: () => runCheck(folder, ["deploy", "--crds", "generated"]),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

test.each(["json", "zod"] as const)(
  "GT35 [+], MC13 [+]: check and server take a folder of generate --schemas %s",
  async (schemas) => {
    await using files = await project({ schemas });
    const { code, out } = await files.check();
    expect(code).toBe(1);
    expect(out).toContain("error field-invalid spec: Invalid value: too big (Widget w)");
    expect(out).toContain("generated/definitions.yaml:");
    for (const crds of [files.generated, pathToFileURL(files.generated)]) {
      await using api = await startApiServer({ crds });
      const path = "/apis/example.com/v1/namespaces/default/widgets";
      const object = {
        apiVersion: "example.com/v1",
        kind: "Widget",
        metadata: { name: "w" },
        spec: { size: 11 },
      };
      const { status, body } = await call(api, "POST", path, object);
      expect([status, body.message]).toEqual([422, expect.stringContaining("too big")]);
    }
  },
);

test("GT35 [+]: types alone are refused with the way out", async () => {
  await using files = await project({});
  const { code, err } = await files.check();
  expect([code, err]).toEqual([2, expect.stringContaining("typekube generate --schemas json")]);
  await expect(startApiServer({ crds: files.generated })).rejects.toMatchObject({
    code: "InvalidArgument",
    hint: expect.stringContaining("typekube generate --schemas json"),
  });
});

test("MC13 [+]: --crds without definitions is an error, not an empty source", async () => {
  await using files = await project({ schemas: "json" });
  await rm(join(files.generated, "definitions.yaml"));
  expect((await files.check()).code).toBe(2);
});
