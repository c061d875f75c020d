import { cause, type FieldErrors } from "../../errors/field-errors.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { validateFields } from "../fields/validate-fields.js";

const handlers = ["exec", "httpGet", "tcpSocket", "grpc", "sleep"];
/**
 * Appends the field errors of a probe.
 *
 * @param isReadiness - `true` for a readiness probe, which can need several successes but never ends a container.
 */
export function validateProbe(
  probe: JsonObject,
  path: string,
  errors: FieldErrors,
  isReadiness: boolean,
): void {
  const { successThreshold, terminationGracePeriodSeconds: seconds } = probe;
  validateHandler(probe, path, errors);
  validateFields("core/v1.Probe", probe, path, errors);
  if (typeof seconds === "number" && (isReadiness || !(seconds > 0))) {
    const why = isReadiness ? "must not be set for readinessProbes" : "must be greater than 0";
    errors.push(cause.invalid(`${path}.terminationGracePeriodSeconds`, seconds, why));
  }
  if (!isReadiness && typeof successThreshold === "number" && successThreshold !== 1) {
    errors.push(cause.invalid(`${path}.successThreshold`, successThreshold, "must be 1"));
  }
}

/**
 * Appends the field errors of the handler of a probe or lifecycle hook.
 *
 * @param graceSeconds - maximum duration of a hook.
 */
export function validateHandler(
  holder: JsonObject,
  path: string,
  errors: FieldErrors,
  graceSeconds = 0,
): void {
  const given = handlers.filter((key) => isJsonObject(holder[key]));
  const [first, ...others] = given;
  if (first === undefined) {
    errors.push(cause.required(path, "must specify a handler type"));
    return;
  }
  validateAction(first, mapOf(holder[first]), `${path}.${first}`, errors, graceSeconds);
  for (const key of others) {
    errors.push(cause.forbidden(`${path}.${key}`, "may not specify more than 1 handler type"));
  }
}

const headerPattern = /^[-A-Za-z0-9]+$/;
const headerText =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";

function validateAction(
  kind: string,
  action: JsonObject,
  path: string,
  errors: FieldErrors,
  graceSeconds: number,
): void {
  switch (kind) {
    case "exec": {
      const { command } = action;
      if (!Array.isArray(command) || command.length === 0) {
        errors.push(cause.required(`${path}.command`));
      }
      break;
    }
    case "httpGet":
      validateFields("core/v1.HTTPGetAction", action, path, errors);
      for (const { name = "" } of objectsOf(action["httpHeaders"])) {
        if (!headerPattern.test(String(name))) {
          errors.push(cause.invalid(`${path}.httpHeaders`, name, headerText));
        }
      }
      break;
    case "tcpSocket":
      validateFields("core/v1.TCPSocketAction", action, path, errors);
      break;
    case "grpc":
      validateFields("core/v1.GRPCAction", action, path, errors);
      break;
    case "sleep": {
      const { seconds = 0 } = action;
      if (!(Number(seconds) >= 0) || !(Number(seconds) <= graceSeconds)) {
        const why = `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`;
        errors.push(cause.invalid(path, seconds, why));
      }
      break;
    }
    default:
  }
}
