import { cause, type FieldErrors } from "../../errors/field-errors.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { objectsOf } from "../../objects/parts.js";
import { appendInvalid, isUnset, validateRequired } from "../../phases/validate/checks.js";
import { subdomainTexts } from "../../phases/validate/name-texts.js";
import { validateFileMode, validateLocalPath } from "../fields/paths.js";
import { validateFields } from "../fields/validate-fields.js";
import { validateDownwardApiFile } from "./field-references.js";
import { validatePodCertificate, validateSignerName } from "./pod-certificate.js";
import { validateTokenLifetime } from "./token-lifetime.js";

/** Appends the field errors of a projected volume. */
export function validateProjection(volume: JsonObject, path: string, errors: FieldErrors): void {
  const files = new ProjectedFiles(path, errors);
  validateFileMode(volume["defaultMode"], `${path}.defaultMode`, errors);
  for (const [at, source] of objectsOf(volume["sources"]).entries()) {
    validateSource(source, `${path}.sources[${at}]`, errors, files);
  }
}

/** File paths of a volume that are already in use. */
class ProjectedFiles {
  readonly volumePath: string;
  readonly #errors: FieldErrors;
  readonly #files = new Set<string>();

  constructor(volumePath: string, errors: FieldErrors) {
    this.volumePath = volumePath;
    this.#errors = errors;
  }

  /**
   * Adds a path; appends an error if it is already in use.
   *
   * @param shown - value shown in the error. Default: the path.
   */
  take(file: unknown, shown = file): void {
    const text = String(file ?? "");
    if (this.#files.has(text)) {
      this.#errors.push(cause.invalid(this.volumePath, shown, "conflicting duplicate paths"));
    }
    if (text !== "") {
      this.#files.add(text);
    }
  }
}

type SourceCheck = (
  source: JsonObject,
  path: string,
  errors: FieldErrors,
  files: ProjectedFiles,
) => void;

/** Checks of projected sources, by field. */
const sourceChecks: Readonly<Record<string, SourceCheck>> = {
  secret: validateNamedSource,
  configMap: validateNamedSource,
  downwardAPI({ items }, path, errors, files) {
    for (const item of objectsOf(items)) {
      validateDownwardApiFile(item, path, errors);
      files.take(item["path"]);
    }
  },
  // Errors about the file of a token report the volume, not the source.
  serviceAccountToken({ path: file, expirationSeconds }, path, errors, { volumePath }) {
    validateTokenLifetime(expirationSeconds, `${path}.expirationSeconds`, errors);
    validateRequired(file, `${volumePath}.path`, errors);
    validateLocalPath(file, `${volumePath}.path`, errors);
  },
  clusterTrustBundle: validateTrustBundle,
  podCertificate: validatePodCertificate,
};

function validateSource(
  source: JsonObject,
  path: string,
  errors: FieldErrors,
  files: ProjectedFiles,
): void {
  for (const [key, validate] of Object.entries(sourceChecks)) {
    const given = source[key];
    if (isJsonObject(given)) {
      validate(given, `${path}.${key}`, errors, files);
    }
  }
  if (Object.values(source).filter(isJsonObject).length > 1) {
    errors.push(cause.forbidden(path, "may not specify more than 1 volume type per source"));
  }
}

function validateNamedSource(
  { name, items }: JsonObject,
  path: string,
  errors: FieldErrors,
  files: ProjectedFiles,
): void {
  validateRequired(name, `${path}.name`, errors);
  for (const [at, item] of objectsOf(items).entries()) {
    validateFields("core/v1.KeyToPath", item, `${path}.items[${at}]`, errors);
    files.take(item["path"], name ?? "");
  }
}

function validateTrustBundle(
  bundle: JsonObject,
  path: string,
  errors: FieldErrors,
  files: ProjectedFiles,
): void {
  const { name, signerName, labelSelector, path: file } = bundle;
  if (!isUnset(name) && !isUnset(signerName)) {
    const why = "only one of name and signerName may be used";
    errors.push(cause.invalid(path, goBundle(bundle), why));
  } else if (!isUnset(name)) {
    const texts = subdomainTexts(String(name));
    const wrong = texts.map((why) => `not a valid clustertrustbundlename: ${why}`);
    appendInvalid(wrong, name, `${path}.name`, errors);
    if (isJsonObject(labelSelector)) {
      const why = "labelSelector must be unset if name is specified";
      errors.push(cause.invalid(`${path}.labelSelector`, labelSelector, why));
    }
  } else if (isUnset(signerName)) {
    errors.push(cause.required(path, "either name or signerName must be specified"));
  } else {
    validateSignerName(signerName, `${path}.signerName`, errors);
  }
  validateRequired(file, `${path}.path`, errors);
  validateLocalPath(file, `${path}.path`, errors);
  files.take(file);
}

/** Formats a trust bundle like Go. */
function goBundle({ name, signerName, labelSelector, optional, path }: JsonObject): JsonObject {
  return {
    Name: name,
    SignerName: signerName,
    LabelSelector: labelSelector ?? null,
    Optional: optional ?? null,
    Path: path,
    User: null,
  };
}
