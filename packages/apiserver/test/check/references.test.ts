import { check } from "@typekube/apiserver/check";
import { expect, test } from "vitest";
import { configMap } from "./lines-of.js";

const fieldsOf = async (text: string) =>
  (await check(text, { references: true, version: "1.37" })).findings.map(
    ({ rule, field }) => `${rule} ${field}`,
  );

const pod = `apiVersion: v1
kind: Pod
metadata: {name: web, namespace: prod, labels: {app: web}}
spec:
  serviceAccountName: web
  volumes:
  - {name: a, configMap: {name: settings}}
  - {name: b, secret: {secretName: keys, optional: true}}
  - {name: c, persistentVolumeClaim: {claimName: data}}
  containers:
  - name: web
    image: nginx
    env:
    - {name: A, valueFrom: {secretKeyRef: {name: token, key: a}}}
    envFrom:
    - configMapRef: {name: env}
`;

test("MC37 [+]: references to objects that are not in the input are warnings", async () => {
  expect(await fieldsOf(pod)).toEqual([
    "reference spec.serviceAccountName",
    "reference spec.volumes[0].configMap.name",
    "reference spec.volumes[2].persistentVolumeClaim.claimName",
    "reference spec.containers[0].env[0].valueFrom.secretKeyRef.name",
    "reference spec.containers[0].envFrom[0].configMapRef.name",
  ]);
  const others = [configMap("settings"), configMap("env")].join("---\n");
  expect(await fieldsOf(`${pod}---\n${others}`)).toHaveLength(3);
  expect((await check(pod)).findings).toEqual([]);
});

test("MC37 [+]: selectors of Services, backends of Ingresses, targets of autoscalers and roles of bindings", async () => {
  const service = (app: string) =>
    `apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: prod}\nspec: {selector: {app: ${app}}, ports: [{port: 80}]}\n`;
  expect(await fieldsOf(service("web"))).toEqual(["reference spec.selector"]);
  expect(
    (await fieldsOf(`${service("web")}---\n${pod}`)).filter((one) => one.endsWith("selector")),
  ).toEqual([]);
  const ingress = `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web, namespace: prod}
spec:
  rules:
  - http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: prod}
spec: {maxReplicas: 2, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: web, namespace: prod}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: web}
subjects: [{kind: ServiceAccount, name: web, namespace: prod}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: view, namespace: prod}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
`;
  expect(await fieldsOf(ingress)).toEqual([
    "reference spec.rules[0].http.paths[0].backend.service.name",
    "reference spec.scaleTargetRef.name",
    "reference roleRef.name",
    "reference subjects[0].name",
  ]);
});
