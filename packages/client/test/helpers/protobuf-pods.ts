/** Encodes a length-delimited field. */
function field(number: number, bytes: Uint8Array | string): Buffer {
  const content = Buffer.from(bytes as Uint8Array);
  const size =
    content.length < 128 ? [content.length] : [(content.length & 127) | 128, content.length >> 7];
  return Buffer.concat([Buffer.from([number * 8 + 2, ...size]), content]);
}

function envelope(kind: string, raw: Uint8Array): Buffer {
  const typeMeta = Buffer.concat([field(1, "v1"), field(2, kind)]);
  return Buffer.concat([
    Buffer.from("k8s\0"),
    field(1, typeMeta),
    field(2, raw),
    field(3, ""),
    field(4, ""),
  ]);
}

/** A field of a later server: number 99, a varint. */
const fieldOfTomorrow = Buffer.from([0x98, 0x06, 1]);

function podMessage(name: string): Buffer {
  const metadata = Buffer.concat([field(1, name), field(3, "prod")]);
  // A name that ends in * adds a field unknown to the schema.
  return Buffer.concat([field(1, metadata), ...(name.endsWith("*") ? [fieldOfTomorrow] : [])]);
}

/** Encodes one pod in protobuf; a name that ends in `*` adds a field unknown to the schema. */
export function protobufPod(name: string): Buffer {
  return envelope("Pod", podMessage(name));
}

/** Encodes a PodList at resourceVersion 10 in protobuf, a chunk per item; see {@link protobufPod} for the names. */
export function protobufPods(names: readonly string[], next = ""): Buffer[] {
  const metadata = field(1, Buffer.concat([field(2, "10"), field(3, next)]));
  const items = names.map((name) => field(2, podMessage(name)));
  const whole = envelope("PodList", Buffer.concat([metadata, ...items]));
  // Cut from the end: the envelope ends in two empty fields of two bytes each.
  const chunks: Buffer[] = [whole.subarray(-4)];
  let end = whole.length - 4;
  for (const item of items.reverse()) {
    chunks.unshift(whole.subarray(end - item.length, end));
    end -= item.length;
  }
  return [whole.subarray(0, end), ...chunks];
}

/** Encodes the frame of a watch event in protobuf. */
export function protobufEvent(type: string, name: string): Buffer {
  const event = Buffer.concat([field(1, type), field(2, field(1, protobufPod(name)))]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(event.length);
  return Buffer.concat([length, event]);
}
