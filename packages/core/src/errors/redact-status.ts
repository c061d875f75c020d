import type { Status, StatusCause } from "./status.js";

/** A resource whose values must not appear in errors. A resource descriptor can be passed directly. */
export interface RedactedResource {
  /** `v1`, `example.com/v1`. Matches every version of its group. */
  readonly apiVersion: string;
  /** `secrets`. */
  readonly plural: string;
  /** `Secret`; servers name the kind where they refer to an object. */
  readonly kind?: string | undefined;
  /** Redacts only these fields and the fields below them, as causes name them: `spec.token`. Default: every field. */
  readonly fields?: readonly string[] | undefined;
}

const secrets: RedactedResource = { apiVersion: "v1", plural: "secrets", kind: "Secret" };

const redacted = "[redacted]";

/**
 * Removes values from a Status about a Secret, or about a resource that the caller names. Servers quote an invalid
 * value, and the whole object for a patch that does not apply. The field, the reason and the explanation stay.
 *
 * @param path - path of the request, if known.
 */
export function redactStatus(
  status: Status,
  path: string | undefined,
  resources: readonly RedactedResource[] = [],
): Status {
  const rule = [...resources, secrets].find((resource) => isAbout(status, path, resource));
  if (rule === undefined || status.message === undefined) {
    return status;
  }
  const { details } = status;
  const causes = details?.causes ?? [];
  const safeCauses = causes.map((cause) =>
    isBelow(cause.field ?? "", rule.fields) ? withoutValue(cause) : cause,
  );
  const message =
    rule.fields === undefined || causes.length === 0
      ? redactValues(status.message)
      : causes.reduce(
          (text, { message: quoted }, at) =>
            quoted ? text.replaceAll(quoted, safeCauses[at]?.message ?? redacted) : text,
          status.message,
        );
  return {
    ...status,
    message,
    ...(details && causes.length > 0 ? { details: { ...details, causes: safeCauses } } : {}),
  };
}

function isAbout(
  { details }: Status,
  path: string | undefined,
  { apiVersion, plural, kind }: RedactedResource,
): boolean {
  const group = groupOf(apiVersion);
  const [, pathGroup = "", resource] =
    /(?:^|\/)(?:api\/v1|apis\/([^/]+)\/[^/]+)\/(?:namespaces\/[^/]+\/)?([^/?]+)/.exec(path ?? "") ??
    [];
  if (resource !== undefined) {
    return pathGroup === group && resource === plural;
  }
  const named = details?.kind;
  return (
    named !== undefined && (named === plural || named === kind) && (details?.group ?? "") === group
  );
}

function groupOf(apiVersion: string): string {
  return apiVersion.includes("/") ? (apiVersion.split("/", 1)[0] ?? "") : "";
}

/**
 * Returns whether the value of a field may reveal one of these fields: it is one of them, below one, above one, or the
 * whole patch.
 */
function isBelow(field: string, fields: readonly string[] | undefined): boolean {
  if (fields === undefined || field === "" || field === "patch" || field === "<nil>") {
    return true;
  }
  const startsWith = (path: string, prefix: string) =>
    path === prefix || path.startsWith(`${prefix}.`) || path.startsWith(`${prefix}[`);
  return fields.some((each) => startsWith(field, each) || startsWith(each, field));
}

function withoutValue(cause: StatusCause): StatusCause {
  return cause.message === undefined ? cause : { ...cause, message: redactValues(cause.message) };
}

/** Words in front of a value in Kubernetes' `field.Error`. */
const beforeValue = "Invalid value|Unsupported value|Duplicate value|Not found";
const quotedValue = new RegExp(`(${beforeValue}): "(?:[^"\\\\]|\\\\.)*"`, "g");
const plainValue = new RegExp(
  `(${beforeValue}): (?:-?\\d[\\w.+-]*|true|false|null)(?=[:,\\]]|$)`,
  "g",
);
/** The end of structs, lists and maps cannot be found, so the rest of the text is removed with them. */
const openValue = new RegExp(`(${beforeValue}): (?!\\[redacted\\]).*$`, "gs");

/** Texts in which Go's decoders quote their input, with the replacement for each. */
const quotingTexts: readonly (readonly [RegExp, string])[] = [
  [/(error found in #\d+ byte of ).*$/gs, `$1${redacted}`],
  [/(cannot unmarshal (?:number|string|bool)) \S+ (into)/g, "$1 $2"],
  [/(expected [^,]{1,40}, got ).*$/gs, `$1${redacted}`],
  [/`[^`]*`/g, redacted],
  [/map\[.*\]/gs, redacted],
];

function redactValues(text: string): string {
  let safe = text
    .replace(quotedValue, `$1: ${redacted}`)
    .replace(plainValue, `$1: ${redacted}`)
    .replace(openValue, `$1: ${redacted}`);
  for (const [pattern, replacement] of quotingTexts) {
    safe = safe.replace(pattern, replacement);
  }
  return safe;
}
