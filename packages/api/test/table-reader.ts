import { type ProtobufField, type ProtobufTable, parseMessage } from "@typekube/api/protobuf";

/**
 * Decodes protobuf by the tables in the most direct way, to verify the tables. The production codec is in
 * `@typekube/core`.
 */
export function readMessage(table: ProtobufTable, name: string, bytes: Uint8Array): unknown {
  const message = parseMessage(table, name);
  if (message === undefined) {
    throw new Error(`no message ${name} in ${table.name}`);
  }
  const wire = readFields(bytes);
  const values = message.fields.map((field) => readField(table, field, wire.get(field.number)));
  for (const number of wire.keys()) {
    if (!message.fields.some((field) => field.number === number)) {
      throw new Error(`${table.name}.${name} has no field ${number}`);
    }
  }
  if (message.form !== undefined) {
    return formed(message.form, values);
  }
  const entries = message.fields.flatMap((field, index): [string, unknown][] => {
    const value = values[index];
    if (value === undefined) {
      return [];
    }
    return field.inline ? Object.entries(value as object) : [[field.jsonName, value]];
  });
  return Object.fromEntries(entries);
}

function formed(form: string, values: readonly unknown[]): unknown {
  const [first, second, third] = values;
  switch (form) {
    case "quantity":
    case "items":
      return first;
    case "raw":
      return first === undefined
        ? null
        : JSON.parse(Buffer.from(String(first), "base64").toString());
    case "time":
      // Go reads a timestamp of zeros as its zero time, which is null in JSON.
      return first === undefined || first === 0
        ? null
        : new Date(Number(first ?? 0) * 1000).toISOString().replace(".000Z", "Z");
    case "microTime":
      return new Date(Number(first ?? 0) * 1000)
        .toISOString()
        .replace("000Z", `${String(Math.trunc(Number(second ?? 0) / 1000)).padStart(6, "0")}Z`);
    case "intOrString":
      return Number(first ?? 0) === 0 ? (second ?? 0) : third;
    case "schemaOrBool":
      return second ?? first;
    case "schemaOrArray":
    case "schemaOrStrings":
      return second ?? first;
    default:
      throw new Error(`unknown form ${form}`);
  }
}

type WireValue = bigint | Uint8Array;

function readField(table: ProtobufTable, field: ProtobufField, found: WireValue[] = []): unknown {
  if (field.container === "list") {
    return found.length > 0 || field.always
      ? found.map((one) => value(table, field.type, one))
      : undefined;
  }
  if (field.container === "map") {
    const entries = found.map((one) => {
      const [key] = readFields(one as Uint8Array).get(1) ?? [];
      const [mapped] = readFields(one as Uint8Array).get(2) ?? [];
      return [value(table, "string", key ?? new Uint8Array()), value(table, field.type, mapped)];
    });
    return entries.length > 0 ? Object.fromEntries(entries) : undefined;
  }
  const last = found.at(-1);
  if (last === undefined) {
    return undefined;
  }
  const read = value(table, field.type, last);
  // Go writes zero values of plain fields into protobuf. JSON omits them, except for fields flagged `!`.
  const zero = read === "" || read === 0 || read === false;
  return zero && !field.pointer && !field.always && !/[A-Z]/.test(field.type) ? undefined : read;
}

function value(table: ProtobufTable, type: string, wire: WireValue | undefined): unknown {
  switch (type) {
    case "string":
      return new TextDecoder().decode(wire as Uint8Array);
    case "bytes":
      return Buffer.from(wire as Uint8Array).toString("base64");
    case "bool":
      return wire !== 0n;
    case "int32":
    case "int64":
      return Number(BigInt.asIntN(64, wire as bigint));
    case "uint32":
    case "uint64":
      return Number(wire);
    case "double":
      return new Float64Array(new BigUint64Array([wire as bigint]).buffer)[0];
    default: {
      const dot = type.lastIndexOf(".");
      const other = dot < 0 ? table : table.imports[type.slice(0, dot)];
      if (other === undefined) {
        throw new Error(`${table.name} does not import the table of ${type}`);
      }
      return readMessage(other, type.slice(dot + 1), (wire ?? new Uint8Array()) as Uint8Array);
    }
  }
}

/** Reads the fields of a message by number, as wire values. */
export function readFields(bytes: Uint8Array): Map<number, WireValue[]> {
  const fields = new Map<number, WireValue[]>();
  let position = 0;
  const varint = (): bigint => {
    let result = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[position++] ?? 0;
      result |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) {
        return result;
      }
    }
  };
  while (position < bytes.length) {
    const tag = Number(varint());
    const list = fields.get(tag >> 3) ?? [];
    fields.set(tag >> 3, list);
    if ((tag & 7) === 0) {
      list.push(varint());
    } else if ((tag & 7) === 1) {
      list.push(new DataView(bytes.buffer, bytes.byteOffset + position).getBigUint64(0, true));
      position += 8;
    } else {
      const length = Number(varint());
      list.push(bytes.subarray(position, position + length));
      position += length;
    }
  }
  return fields;
}
