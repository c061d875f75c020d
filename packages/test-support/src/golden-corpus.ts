import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Folder of upstream's golden objects and recorded exchanges: `TYPEKUBE_CORPUS`, or beside the checkout. */
export const corpusFolder: string = join(
  process.env["TYPEKUBE_CORPUS"] ||
    fileURLToPath(new URL("../../../../shared/corpus", import.meta.url)),
  "/",
);

export const hasCorpus: boolean = existsSync(corpusFolder);

if (!hasCorpus) {
  console.warn(
    `SKIPPED: no golden corpus at ${corpusFolder} (TYPEKUBE_CORPUS); tests on it do not run`,
  );
}

/** One golden object in its encodings. */
export interface GoldenObject {
  readonly name: string;
  readonly json: Buffer;
  readonly protobuf: Buffer;
  readonly yaml: Buffer;
  /** Encodings of the object after a round trip through the current types. */
  readonly expected: { readonly json: Buffer; readonly protobuf: Buffer; readonly yaml: Buffer };
}

/** Reads the golden objects of one release. */
export function goldenObjects(release: string): GoldenObject[] {
  const folder = `${corpusFolder}kubernetes-api/${release}/`;
  const read = (name: string, extension: string) => readFileSync(`${folder}${name}.${extension}`);
  const expected = (name: string, extension: string) =>
    existsSync(`${folder}${name}.after_roundtrip.${extension}`)
      ? read(`${name}.after_roundtrip`, extension)
      : read(name, extension);
  return readdirSync(folder)
    .filter((file) => file.endsWith(".pb") && !file.includes(".after_roundtrip."))
    .map((file) => file.slice(0, -".pb".length))
    .map((name) => ({
      name,
      json: read(name, "json"),
      protobuf: read(name, "pb"),
      yaml: read(name, "yaml"),
      expected: {
        json: expected(name, "json"),
        protobuf: expected(name, "pb"),
        yaml: expected(name, "yaml"),
      },
    }));
}
