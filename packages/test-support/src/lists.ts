import { type Codec, codecs, type DecodeOptions, type ListPart } from "@typekube/core/internal";

/** A list that was read to its end. */
export interface WholeList {
  readonly apiVersion: string | undefined;
  readonly kind: string | undefined;
  readonly metadata: unknown;
  readonly items: readonly unknown[];
}

/** Reads a streamed list to its end and joins its parts. */
export async function readList(
  codec: Codec,
  source: AsyncIterable<Uint8Array>,
  options: DecodeOptions = {},
): Promise<WholeList> {
  const items: unknown[] = [];
  let last: ListPart | undefined;
  for await (const part of codec.decodeList(source, options)) {
    items.push(...part.items);
    last = part;
  }
  return { apiVersion: last?.apiVersion, kind: last?.kind, metadata: last?.metadata, items };
}

/** A small ConfigMapList as the server writes it; its items lack kind and apiVersion. */
export const configMaps = {
  kind: "ConfigMapList",
  apiVersion: "v1",
  metadata: { resourceVersion: "42" },
  items: [
    {
      metadata: { name: "a", namespace: "default", labels: { "ü]}": '"{[' } },
      data: { "nested.json": '{"items":[{"a":"}]\\"\\\\"}]}', "line\u2028separator": "tail\\" },
    },
    { metadata: { name: "b", namespace: "default" } },
    { metadata: { name: "€", namespace: "default" }, immutable: true },
  ],
};

/** Items of {@link configMaps} as a reader receives them (CHK13). */
export const configMapItems: readonly unknown[] = configMaps.items.map((item) => ({
  kind: "ConfigMap",
  apiVersion: "v1",
  ...item,
}));

/** Encodes {@link configMaps}. */
export function encodedConfigMaps(encoding: Codec["name"]): Promise<Uint8Array> {
  return codecs[encoding].encode(configMaps);
}
