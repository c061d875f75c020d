import type { Pod } from "typekube/api/core/v1";

type ManagedFields = NonNullable<NonNullable<Pod["metadata"]>["managedFields"]>;

/** Returns the two entries of a Deployment's pod: the controller that created it and the kubelet that runs it. */
export function managedFieldsOf(owner: string, created: string, updated: string): ManagedFields {
  return [
    {
      manager: "kube-controller-manager",
      operation: "Update",
      apiVersion: "v1",
      time: created,
      fieldsType: "FieldsV1",
      fieldsV1: {
        "f:metadata": {
          "f:annotations": { ".": {}, "f:prometheus.io/port": {}, "f:prometheus.io/scrape": {} },
          "f:generateName": {},
          "f:labels": {
            ".": {},
            "f:app": {},
            "f:pod-template-hash": {},
            "f:team": {},
            "f:tier": {},
          },
          "f:ownerReferences": { ".": {}, [`k:{"uid":"${owner}"}`]: {} },
        },
        "f:spec": {
          "f:containers": {
            'k:{"name":"main"}': {
              ".": {},
              "f:env": {
                ".": {},
                'k:{"name":"LOG_LEVEL"}': { ".": {}, "f:name": {}, "f:value": {} },
                'k:{"name":"POD_NAME"}': {
                  ".": {},
                  "f:name": {},
                  "f:valueFrom": { ".": {}, "f:fieldRef": {} },
                },
              },
              "f:image": {},
              "f:imagePullPolicy": {},
              "f:name": {},
              "f:ports": {
                ".": {},
                'k:{"containerPort":8080,"protocol":"TCP"}': {
                  ".": {},
                  "f:containerPort": {},
                  "f:protocol": {},
                },
              },
              "f:resources": {
                ".": {},
                "f:limits": { ".": {}, "f:memory": {} },
                "f:requests": { ".": {}, "f:cpu": {}, "f:memory": {} },
              },
              "f:terminationMessagePath": {},
              "f:terminationMessagePolicy": {},
            },
          },
          "f:dnsPolicy": {},
          "f:enableServiceLinks": {},
          "f:restartPolicy": {},
          "f:schedulerName": {},
          "f:securityContext": {},
          "f:terminationGracePeriodSeconds": {},
        },
      },
    },
    {
      manager: "kubelet",
      operation: "Update",
      apiVersion: "v1",
      time: updated,
      fieldsType: "FieldsV1",
      fieldsV1: {
        "f:status": {
          "f:conditions": {
            'k:{"type":"ContainersReady"}': { ".": {}, "f:status": {}, "f:type": {} },
            'k:{"type":"Ready"}': { ".": {}, "f:status": {}, "f:type": {} },
          },
          "f:containerStatuses": {},
          "f:hostIP": {},
          "f:phase": {},
          "f:podIP": {},
          "f:startTime": {},
        },
      },
      subresource: "status",
    },
  ];
}
