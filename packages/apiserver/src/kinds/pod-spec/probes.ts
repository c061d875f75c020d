import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import {
  notNegative,
  oneOf,
  portNumber,
  portOrName,
  required,
} from "../../phases/validate/old-checks.js";

const handlers = ["exec", "httpGet", "tcpSocket", "grpc", "sleep"];
const numbers = [
  "initialDelaySeconds",
  "timeoutSeconds",
  "periodSeconds",
  "successThreshold",
  "failureThreshold",
];

/** Returns the field errors of a probe; `kind` is the field that contains it. */
export function validateProbe(probe: JsonObject, field: string, kind: string): FieldErrors {
  const { successThreshold } = probe;
  const mustBeOne = kind !== "readinessProbe" && successThreshold !== 1;
  return [
    ...validateHandler(probe, field),
    ...numbers.flatMap((key) => notNegative(`${field}.${key}`, probe[key])),
    ...validateGrace(probe["terminationGracePeriodSeconds"], kind, field),
    ...(mustBeOne && typeof successThreshold === "number"
      ? [cause.invalid(`${field}.successThreshold`, successThreshold, "must be 1")]
      : []),
  ];
}

function validateGrace(seconds: unknown, kind: string, probe: string): FieldErrors {
  const field = `${probe}.terminationGracePeriodSeconds`;
  return typeof seconds !== "number"
    ? []
    : kind === "readinessProbe"
      ? [cause.invalid(field, seconds, "must not be set for readinessProbes")]
      : seconds > 0
        ? []
        : [cause.invalid(field, seconds, "must be greater than 0")];
}

/**
 * Returns the field errors of the handler of a probe or lifecycle hook.
 *
 * @param graceSeconds - maximum duration of a hook.
 */
export function validateHandler(holder: JsonObject, field: string, graceSeconds = 0): FieldErrors {
  const given = handlers.filter((key) => isJsonObject(holder[key]));
  const [first, ...others] = given;
  if (first === undefined) {
    return [cause.required(field, "must specify a handler type")];
  }
  return [
    ...validateAction(first, mapOf(holder[first]), `${field}.${first}`, graceSeconds),
    ...others.map((key) =>
      cause.forbidden(`${field}.${key}`, "may not specify more than 1 handler type"),
    ),
  ];
}

const headerPattern = /^[-A-Za-z0-9]+$/;
const headerText =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";

function validateAction(
  kind: string,
  action: JsonObject,
  field: string,
  graceSeconds: number,
): FieldErrors {
  switch (kind) {
    case "exec": {
      const { command } = action;
      return Array.isArray(command) && command.length > 0
        ? []
        : [cause.required(`${field}.command`)];
    }
    case "httpGet":
      return [
        ...required(`${field}.path`, action["path"]),
        ...portOrName(`${field}.port`, action["port"]),
        ...oneOf(`${field}.scheme`, action["scheme"], ["HTTP", "HTTPS"]),
        ...objectsOf(action["httpHeaders"]).flatMap(({ name = "" }) =>
          headerPattern.test(String(name))
            ? []
            : [cause.invalid(`${field}.httpHeaders`, name, headerText)],
        ),
      ];
    case "tcpSocket":
      return portOrName(`${field}.port`, action["port"]);
    case "grpc":
      return portNumber(`${field}.port`, action["port"]);
    case "sleep": {
      const { seconds = 0 } = action;
      return Number(seconds) >= 0 && Number(seconds) <= graceSeconds
        ? []
        : [
            cause.invalid(
              field,
              seconds,
              `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`,
            ),
          ];
    }
    default:
      return [];
  }
}
