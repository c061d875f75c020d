import { cause, type FieldErrors } from "../../errors/field-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { stringsOf } from "../../objects/json-value.js";
import { specOf } from "../../objects/parts.js";
import { canonicalCidrTexts, familyOf } from "../../phases/validate/addresses.js";
import { appendInvalid } from "../../phases/validate/checks.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";

/** Strategy of the kind ServiceCIDR. */
export const serviceCidrStrategy: KindStrategy = {
  rules: { statusMetadata: "none" },
  validate: validateServiceCidr,
  columns: columnsFor("servicecidrs.networking.k8s.io", {
    CIDRs: column("Address ranges.", (one) => stringsOf(specOf(one)["cidrs"]).join(",")),
  }),
  idle: { why: "gives Services addresses of 10.0.0.0/24 only" },
};

const maxRanges = 2;

function validateServiceCidr(object: ApiObject, errors: FieldErrors): void {
  const path = "spec.cidrs";
  const ranges = stringsOf(specOf(object)["cidrs"]);
  if (ranges.length === 0) {
    errors.push(cause.required(path, "at least one CIDR required"));
    return;
  }
  if (ranges.length > maxRanges) {
    const why = `may only hold up to ${maxRanges} values`;
    errors.push(cause.invalid(path, { CIDRs: ranges }, why));
    return;
  }
  if (new Set(ranges.map(familyOf)).size < ranges.length) {
    const why =
      "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64";
    errors.push(cause.invalid(path, ranges, why));
  }
  for (const [at, range] of ranges.entries()) {
    appendInvalid(canonicalCidrTexts(range), range, `${path}[${at}]`, errors);
  }
}
