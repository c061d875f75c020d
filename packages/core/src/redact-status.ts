import type { Status, StatusCause } from "./status.js";

/** A resource whose values must not show in errors. A resource descriptor is one. */
export interface RedactedResource {
  /** `v1`, `example.com/v1`. Every version of its group counts. */
  readonly apiVersion: string;
  /** `secrets`. */
  readonly plural: string;
  /** `Secret`; servers name the kind where they name an object. */
  readonly kind?: string | undefined;
  /** Only these fields and all below them, as causes name them: `spec.token`. Default: every field. */
  readonly fields?: readonly string[] | undefined;
}

const secrets: RedactedResource = { apiVersion: "v1", plural: "secrets", kind: "Secret" };

const redacted = "[redacted]";

/**
 * Removes values from a Status about a Secret, or about a resource that the caller names. A server quotes the value that is wrong, and
 * for a patch that does not fit the whole object. Field, reason and explanation stay.
 *
 * @param path - of the request, if it is known.
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

/** Whether the value of a field may show what is in one of these fields: it is one, below one, above one, or the patch as a whole. */
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

/** The words before a value in `field.Error` of Kubernetes. */
const beforeValue = "Invalid value|Unsupported value|Duplicate value|Not found";
const quotedValue = new RegExp(`(${beforeValue}): "(?:[^"\\\\]|\\\\.)*"`, "g");
const plainValue = new RegExp(
  `(${beforeValue}): (?:-?\\d[\\w.+-]*|true|false|null)(?=[:,\\]]|$)`,
  "g",
);
/** Structs, lists and maps have no end that can be found, so the rest goes with them. */
const openValue = new RegExp(`(${beforeValue}): (?!\\[redacted\\]).*$`, "gs");

/** Texts of Go's decoders that quote their input, with what stays of them. */
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
