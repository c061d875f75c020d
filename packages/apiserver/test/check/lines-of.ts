import { type CheckInput, type CheckOptions, check, type Finding } from "@typekube/apiserver/check";

/** Checks an input and returns its findings as `line:column rule: message`. */
export async function linesOf(input: CheckInput, options: CheckOptions = {}): Promise<string[]> {
  const { findings } = await check(input, options);
  return findings.map(lineOf);
}

/** Returns a finding as `line:column rule: message`. */
export function lineOf({ location, rule, message }: Finding): string {
  return `${location.line ?? "-"}:${location.column ?? "-"} ${rule}: ${message}`;
}

/** Returns a ConfigMap as YAML. */
export function configMap(name: string, more: string = ""): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: prod\n${more}`;
}

/** The definition of a Widget with a schema, a rule and a transition rule. */
export const widgets: string = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            x-kubernetes-validations:
            - {rule: "self.size < 10", message: "too big"}
            - {rule: "self.size >= oldSelf.size", message: "may not shrink"}
            properties:
              size: {type: integer}
              port: {x-kubernetes-int-or-string: true}
              free: {type: object, x-kubernetes-preserve-unknown-fields: true}
              labels: {type: object, additionalProperties: {type: string}}
  - name: v1alpha1
    served: false
    storage: false
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`;

/** Returns a Widget as YAML. */
export function widget(spec: string, apiVersion: string = "example.com/v1"): string {
  return `apiVersion: ${apiVersion}\nkind: Widget\nmetadata: {name: w, namespace: prod}\nspec: ${spec}\n`;
}
