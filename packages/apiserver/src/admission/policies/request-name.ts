import { getPath } from "../../objects/json-value.js";
import type { AdmissionAttributes } from "../attributes.js";

/** Returns the name of the object of a request for error messages: it may still have to be generated. */
export function requestName({ name, object }: AdmissionAttributes): string {
  const names = [
    name,
    getPath(object, "metadata", "name"),
    getPath(object, "metadata", "generateName"),
  ];
  const known = names.find((one) => typeof one === "string" && one !== "");
  return typeof known === "string" ? known : "Unknown";
}
