import { strategyWrite, type Write } from "../../context/write.js";
import { collectErrors, type FieldErrors } from "../../errors/field-errors.js";
import { invalid } from "../../errors/status-errors.js";
import type { ApiObject, ObjectMetadata } from "../../objects/api-object.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import type { ServedResource } from "../../resources/served-resource.js";
import { validateDeclaredRules, withDeclared } from "./declared/validate-declared.js";
import { validateDeletionFields, validateMetadata, validateNewFinalizers } from "./metadata.js";
import { withoutTolerated } from "./tolerated.js";
import { validateImmutable } from "./validate-immutable.js";

/**
 * Validates a new object: metadata, the rules of its kind, and the rules that upstream declares on its types.
 *
 * @throws {StatusError} 422 with all field errors.
 */
export function assertValidNew(write: Write, object: ApiObject): void {
  const { resource } = write.request;
  const { strategy } = resource;
  const errors: FieldErrors = [];
  validateMetadata(object, resource, errors);
  strategy.validate?.(object, errors);
  strategy.validateCreate?.(object, errors);
  strategy.validateWrite?.(object, undefined, errors, strategyWrite(write));
  assertNone(resource, object, withDeclared(errors, declaredErrors(write, object, undefined)));
}

/**
 * Validates a changed object: what a new one must fulfil, and which fields may change through the subresource.
 *
 * @param given - metadata as the client sent it.
 * @throws {StatusError} 422 with all field errors.
 */
export function assertValidChange(
  write: Write,
  given: ObjectMetadata,
  object: ApiObject,
  old: ApiObject,
): void {
  const { resource, subresource } = write.request;
  const { strategy } = resource;
  const { deletionTimestamp, finalizers = [] } = old.metadata;
  const errors: FieldErrors = [];
  validateDeletionFields(given, old.metadata, errors);
  validateMetadata(object, resource, errors);
  if (deletionTimestamp !== undefined) {
    validateNewFinalizers(finalizers, object.metadata.finalizers ?? [], errors);
  }
  if (subresource === "") {
    validateMain(strategy, object, old, errors);
  }
  if (subresource === "resize") {
    validateValues(strategy, object, old, errors);
  }
  if (subresource === "status") {
    strategy.validateStatus?.(object, old, errors);
  }
  strategy.validateWrite?.(object, old, errors, strategyWrite(write));
  assertNone(resource, object, withDeclared(errors, declaredErrors(write, object, old)));
}

/**
 * Validates values that the server itself would have to grant.
 *
 * @throws {StatusError} 422 with all field errors.
 */
export function assertGrantable(
  { request, server }: Write,
  object: ApiObject,
  old: ApiObject | undefined,
): void {
  const { resource } = request;
  const errors: FieldErrors = [];
  resource.strategy.validateGrant?.(object, old, errors, server);
  assertNone(resource, object, errors);
}

function validateMain(
  strategy: KindStrategy,
  object: ApiObject,
  old: ApiObject,
  errors: FieldErrors,
): void {
  const validateChange = () => {
    validateImmutable(strategy.immutable ?? [], object, old, errors);
    strategy.validateUpdate?.(object, old, errors);
  };
  if (strategy.changesFirst) {
    validateChange();
  }
  validateValues(strategy, object, old, errors);
  if (!strategy.changesFirst) {
    validateChange();
  }
}

function validateValues(
  strategy: KindStrategy,
  object: ApiObject,
  old: ApiObject,
  errors: FieldErrors,
): void {
  const errorsOf = (one: ApiObject, other?: ApiObject) =>
    collectErrors((own) => strategy.validate?.(one, own, other));
  errors.push(
    ...withoutTolerated(errorsOf(object, old), strategy.laterRules ?? [], () => errorsOf(old)),
  );
}

function declaredErrors(write: Write, object: ApiObject, old: ApiObject | undefined): FieldErrors {
  const { server, schema, request } = write;
  return request.resource.rules.custom
    ? []
    : validateDeclaredRules(schema, object, old, server.gates);
}

function assertNone({ storedKind }: ServedResource, object: ApiObject, errors: FieldErrors): void {
  if (errors.length > 0) {
    throw invalid(storedKind, object.metadata.name ?? "", errors);
  }
}
