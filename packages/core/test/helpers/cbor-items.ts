/** The head of a data item whose value, length or tag is below 2^16. */
function head(type: number, argument: number): Buffer {
  const first = type << 5;
  if (argument < 24) {
    return Buffer.from([first | argument]);
  }
  return argument < 256
    ? Buffer.from([first | 24, argument])
    : Buffer.from([first | 25, argument >> 8, argument & 255]);
}

/** A byte string, as Kubernetes writes every string. */
export function bytesItem(text: string | Uint8Array): Buffer {
  const bytes = Buffer.from(text as string);
  return Buffer.concat([head(2, bytes.length), bytes]);
}

/** A text string. */
export function textItem(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([head(3, bytes.length), bytes]);
}

/** An array of items that are encoded already. */
export function arrayItem(...items: readonly Uint8Array[]): Buffer {
  return Buffer.concat([head(4, items.length), ...items]);
}

/** A map with these keys in this order, its values encoded already. */
export function mapItem(
  ...entries: readonly (readonly [key: string, value: Uint8Array])[]
): Buffer {
  return Buffer.concat([
    head(5, entries.length),
    ...entries.flatMap(([key, value]) => [bytesItem(key), value]),
  ]);
}

/** A map whose end a break tells. */
export function openMapItem(
  ...entries: readonly (readonly [key: string, value: Uint8Array])[]
): Buffer {
  return Buffer.concat([
    Buffer.from([0xbf]),
    ...entries.flatMap(([key, value]) => [bytesItem(key), value]),
    Buffer.from([0xff]),
  ]);
}

/** An array whose end a break tells. */
export function openArrayItem(...items: readonly Uint8Array[]): Buffer {
  return Buffer.concat([Buffer.from([0x9f]), ...items, Buffer.from([0xff])]);
}

/** An item under a tag. */
export function tagItem(tag: number, item: Uint8Array): Buffer {
  return Buffer.concat([head(6, tag), item]);
}

/** Encodes a JSON value with the keys of each map as `order` puts them; the server draws them anew each time. */
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
