/** Returns the head of a data item whose value, length or tag is below 2^16. */
function head(type: number, argument: number): Buffer {
  const first = type << 5;
  if (argument < 24) {
    return Buffer.from([first | argument]);
  }
  return argument < 256
    ? Buffer.from([first | 24, argument])
    : Buffer.from([first | 25, argument >> 8, argument & 255]);
}

/** Encodes a byte string, as Kubernetes writes every string. */
export function bytesItem(text: string | Uint8Array): Buffer {
  const bytes = Buffer.from(text as string);
  return Buffer.concat([head(2, bytes.length), bytes]);
}

/** Encodes a text string. */
export function textItem(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([head(3, bytes.length), bytes]);
}

/** Encodes an array of already encoded items. */
export function arrayItem(...items: readonly Uint8Array[]): Buffer {
  return Buffer.concat([head(4, items.length), ...items]);
}

/** Encodes a map with these keys in this order. Its values are already encoded. */
export function mapItem(
  ...entries: readonly (readonly [key: string, value: Uint8Array])[]
): Buffer {
  return Buffer.concat([
    head(5, entries.length),
    ...entries.flatMap(([key, value]) => [bytesItem(key), value]),
  ]);
}

/** Encodes a map that ends with a break. */
export function openMapItem(
  ...entries: readonly (readonly [key: string, value: Uint8Array])[]
): Buffer {
  return Buffer.concat([
    Buffer.from([0xbf]),
    ...entries.flatMap(([key, value]) => [bytesItem(key), value]),
    Buffer.from([0xff]),
  ]);
}

/** Encodes an array that ends with a break. */
export function openArrayItem(...items: readonly Uint8Array[]): Buffer {
  return Buffer.concat([Buffer.from([0x9f]), ...items, Buffer.from([0xff])]);
}

/** Encodes an item under a tag. */
export function tagItem(tag: number, item: Uint8Array): Buffer {
  return Buffer.concat([head(6, tag), item]);
}

/** Encodes a JSON value. `order` arranges the keys of each map, which the server writes in random order. */
export function itemOf(value: unknown, order: (keys: string[]) => string[]): Buffer {
  if (typeof value === "string") {
    return bytesItem(value);
  }
  if (typeof value === "number") {
    return head(value < 0 ? 1 : 0, value < 0 ? -1 - value : value);
  }
  if (Array.isArray(value)) {
    return arrayItem(...value.map((item) => itemOf(item, order)));
  }
  if (typeof value === "object" && value !== null) {
    const object = value as Readonly<Record<string, unknown>>;
    return mapItem(
      ...order(Object.keys(object)).map((key) => [key, itemOf(object[key], order)] as const),
    );
  }
  return Buffer.from([value === null ? 0xf6 : value === true ? 0xf5 : 0xf4]);
}
