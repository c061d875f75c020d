import type { Write } from "../../context/write.js";
import type { ApiObject } from "../../objects/api-object.js";
import { normalized } from "../../objects/api-object.js";
import { timestamp } from "../../objects/timestamp.js";
import { withDefaults } from "../default/default-object.js";
import { updateManagers } from "../managed-fields/managed-fields.js";
import { withoutDisabled } from "../validate/declared/disabled-fields.js";
import { withoutGated } from "../validate/declared/gated-fields.js";

/** An object of a write at the point where managers own its fields, and with what the server adds. */
export interface Completed {
  /** The object with defaults and managedFields. No manager owns what is added later. */
  readonly managed: ApiObject;
  /** The admitted object, without fields of disabled features. */
  readonly admitted: ApiObject;
}

/** Fills in defaults, records the managers of fields, and runs mutating admission. */
export function completeObject(
  write: Write,
  given: ApiObject,
  old: ApiObject | undefined,
): Completed {
  const { form, schema, request, admission } = write;
  const defaulted = withDefaults(request.resource, given, schema);
  const object = normalized(form === undefined ? defaulted : form.of(defaulted));
  admission.authorize(write, object, old);
  const managed = withManagers(write, object, old);
  return {
    managed,
    admitted: admission.mutate(write, withoutDisabledFields(write, managed, old), old),
  };
}

function withManagers(write: Write, object: ApiObject, old: ApiObject | undefined): ApiObject {
  if (write.manage !== undefined) {
    return write.manage(object, old);
  }
  const { server, request, schema, form, options } = write;
  return updateManagers({
    empty: form?.empty,
    object,
    before: old,
    schema,
    resource: request.resource,
    manager: options.manager,
    subresource: request.subresource,
    time: timestamp(server.clock),
  });
}

function withoutDisabledFields(
  { server, schema, request }: Write,
  object: ApiObject,
  old: ApiObject | undefined,
): ApiObject {
  const { strategy, rules } = request.resource;
  const { gates } = server;
  return rules.custom
    ? object
    : withoutGated(
        strategy.gatedFields ?? {},
        withoutDisabled(schema, object, old, gates),
        old,
        gates,
      );
}
