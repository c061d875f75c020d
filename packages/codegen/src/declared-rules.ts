/** Validation rules that types declare, by their names in upstream's validation-gen. */
const names = new Set(
  `customUnique customValidation declarativeValidationNative dependentForbidden dependentRequired enum forbidden format
   immutable isSubresource listMapKey listType maxBytes maxItems maxLength maximum minimum modeDiscriminator monotonic neq opaqueType
   optional required supportsSubresource unionDiscriminator unionMember unique update zeroOrOneOfMember`.split(
    /\s+/,
  ),
);

/** Matches a prefix of a rule: its stage, or where or under which condition it applies. */
const prefix = /^(alpha|beta|eachKey|eachVal|ifDisabled|ifEnabled|ifMode|item|subfield)(\(.*?\))?=/;

/**
 * Rejects a rule that is not listed above: its meaning for our servers and types has to be decided first.
 *
 * @param field - name of the field, for the message.
 */
export function assertKnownRule(text: string, field: string): void {
  let rule = text;
  while (prefix.test(rule)) {
    rule = rule.replace(prefix, "");
  }
  const [name = ""] = /^\w+/.exec(rule) ?? [];
  if (!names.has(name)) {
    throw new Error(`the rule "${text}" of the field ${field} is not known`);
  }
}
