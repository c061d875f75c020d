import { tableLoaders } from "./generated/protobuf/loaders.js";

/**
 * Protobuf messages of one upstream package (`core/v1`, `meta/v1`, `api/resource` ...) in a compact notation. Tables
 * are data only; `@typekube/core` decodes and encodes by them.
 *
 * A message is a string of fields, separated by `;` and ordered by field number:
 *
 *     [@form ]<number> <jsonName> <type>[ <flags>];...
 *
 * - `type`: `string bool int32 int64 uint32 uint64 double bytes`, or a message: `PodSpec` in the same table,
 *   `meta/v1.ObjectMeta` in another. `[]type` is repeated, `{}type` a map with string keys.
 * - `flags`: `*` a Go pointer (absent differs from zero) · `!` written to JSON even when empty (no omitempty) ·
 *   `z` omitzero · `~` in JSON the fields of the message are inlined into the parent.
 * - `@form` marks a message whose JSON is not an object of its fields: `time`, `microTime`, `quantity`,
 *   `intOrString`, `raw` (bytes that hold JSON), `items` (a list in a wrapper message),
 *   `schemaOrBool`, `schemaOrArray`, `schemaOrStrings`.
 */
export interface ProtobufTable {
  readonly name: string;
  /** Tables that types of this table refer to, by name. */
  readonly imports: Readonly<Record<string, ProtobufTable>>;
  readonly messages: Readonly<Record<string, string>>;
}

/** One field of a message, parsed from its table. */
export interface ProtobufField {
  readonly number: number;
  readonly jsonName: string;
  readonly container: "list" | "map" | "one";
  /** Scalar type or message name, as written in the table. */
  readonly type: string;
  readonly pointer: boolean;
  readonly always: boolean;
  readonly omitZero: boolean;
  readonly inline: boolean;
}

/** One message, parsed from its table. */
export interface ProtobufMessage {
  readonly form: string | undefined;
  readonly fields: readonly ProtobufField[];
}

/** Parses one message of a table; `undefined` when the table lacks the message. */
export function parseMessage(table: ProtobufTable, name: string): ProtobufMessage | undefined {
  const text = Object.hasOwn(table.messages, name) ? table.messages[name] : undefined;
  if (text === undefined) {
    return undefined;
  }
  const space = text.startsWith("@") ? `${text} `.indexOf(" ") : 0;
  const form = space > 0 ? text.slice(1, space) : undefined;
  const fields = text
    .slice(space)
    .split(";")
    .filter((field) => field.trim() !== "")
    .map(parseField);
  return { form, fields };
}

function parseField(text: string): ProtobufField {
  const [number, jsonName = "", type = "", flags = ""] = text.trim().split(" ");
  const container = type.startsWith("[]") ? "list" : type.startsWith("{}") ? "map" : "one";
  return {
    number: Number(number),
    jsonName,
    container,
    type: container === "one" ? type : type.slice(2),
    pointer: flags.includes("*"),
    always: flags.includes("!"),
    omitZero: flags.includes("z"),
    inline: flags.includes("~"),
  };
}

/**
 * Loads the table with the messages of a group-version (`v1`, `apps/v1`), and the tables it refers to. Loads nothing
 * before the first call.
 *
 * @returns `undefined` for a group-version that is not built in (custom resources, removed versions).
 */
export async function loadProtobufTable(apiVersion: string): Promise<ProtobufTable | undefined> {
  const load = Object.hasOwn(tableLoaders, apiVersion) ? tableLoaders[apiVersion] : undefined;
  return load === undefined ? undefined : (await load()).table;
}
