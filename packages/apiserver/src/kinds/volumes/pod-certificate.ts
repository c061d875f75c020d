import { cause, type FieldErrors } from "../../errors/field-errors.js";
import type { JsonObject } from "../../objects/json-value.js";
import { isUnset, validateRequiredWith } from "../../phases/validate/checks.js";
import { subdomainTexts } from "../../phases/validate/name-texts.js";
import { validateLocalPath } from "../fields/paths.js";

const minSeconds = 3600;
const maxSeconds = 91 * 86_400;
const keyTypes = ["RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"];
const filePaths = ["credentialBundlePath", "keyPath", "certificateChainPath"];

/**
 * Appends the field errors of a certificate for a pod, projected into a volume.
 *
 * @param files - the files of the volume.
 */
export function validatePodCertificate(
  certificate: JsonObject,
  path: string,
  errors: FieldErrors,
  files: { take(file: unknown): void },
): void {
  const { signerName, keyType, maxExpirationSeconds: seconds } = certificate;
  const given = filePaths.filter((key) => !isUnset(certificate[key]));
  validateRequiredWith(signerName, validateSignerName, `${path}.signerName`, errors);
  if (!keyTypes.includes(String(keyType))) {
    errors.push(cause.notSupported(`${path}.keyType`, keyType ?? "", keyTypes));
  }
  if (typeof seconds === "number" && (seconds < minSeconds || seconds > maxSeconds)) {
    const limit = seconds < minSeconds ? `>= ${minSeconds}` : `<= ${maxSeconds}`;
    const why = `if provided, maxExpirationSeconds must be ${limit}`;
    errors.push(cause.invalid(`${path}.maxExpirationSeconds`, seconds, why));
  }
  if (given.length === 0) {
    const why = "specify at least one of credentialBundlePath, keyPath, and certificateChainPath";
    errors.push(cause.required(path, why));
  }
  for (const key of given) {
    validateLocalPath(certificate[key], `${path}.${key}`, errors);
    files.take(certificate[key]);
  }
}

/** Appends an error for an invalid name of a certificate signer. */
export function validateSignerName(signer: unknown, path: string, errors: FieldErrors): void {
  const [domain = "", ...rest] = String(signer).split("/");
  if (!domain.includes(".") || rest.length !== 1 || subdomainTexts(domain).length > 0) {
    const why = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    errors.push(cause.invalid(path, signer, why));
  }
}
