import { mapOf } from "../kinds/parts.js";
import { cause } from "../response/status-errors.js";
import { isJsonObject, type JsonObject } from "../store/json-value.js";
import { type Causes, notNegative, oneOf, portNumber, portOrName, required } from "./checks.js";

const handlers = ["exec", "httpGet", "tcpSocket", "grpc", "sleep"];
const numbers = [
  "initialDelaySeconds",
  "timeoutSeconds",
  "periodSeconds",
  "successThreshold",
  "failureThreshold",
];

/** What is wrong with a probe; `kind` is the field that it stands in. */
export function probeCauses(probe: JsonObject, field: string, kind: string): Causes {
  const { successThreshold } = probe;
  const mustBeOne = kind !== "readinessProbe" && successThreshold !== 1;
  return [
    ...handlerCauses(probe, field),
    ...numbers.flatMap((key) => notNegative(`${field}.${key}`, probe[key])),
    ...(mustBeOne && typeof successThreshold === "number"
      ? [cause.invalid(`${field}.successThreshold`, successThreshold, "must be 1")]
      : []),
  ];
}

/** What is wrong with what a probe or a hook does. */
export function handlerCauses(holder: JsonObject, field: string): Causes {
  const given = handlers.filter((key) => isJsonObject(holder[key]));
  const [first, ...others] = given;
  if (first === undefined) {
    return [cause.required(field, "must specify a handler type")];
  }
  return [
    ...actionCauses(first, mapOf(holder[first]), `${field}.${first}`),
    ...others.map((key) =>
      cause.forbidden(`${field}.${key}`, "may not specify more than 1 handler type"),
    ),
  ];
}

function actionCauses(kind: string, action: JsonObject, field: string): Causes {
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
      ];
    case "tcpSocket":
      return portOrName(`${field}.port`, action["port"]);
    case "grpc":
      return portNumber(`${field}.port`, action["port"]);
    default:
      return [];
  }
}
