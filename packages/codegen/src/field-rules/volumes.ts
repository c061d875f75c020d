import { each, type RuleTable } from "./row.js";

/** Rules of volumes (`pkg/apis/core/validation/validation.go`, `validateVolumeSource`). */
export const volumeRules: RuleTable = {
  "core/v1.AWSElasticBlockStoreVolumeSource": {
    volumeID: "required",
    partition: "nonZero=range=1,255",
  },
  "core/v1.AzureDiskVolumeSource": {
    ...each("required", "diskName diskURI"),
    ...each("enum", "cachingMode kind"),
  },
  "core/v1.AzureFileVolumeSource": each("required", "secretName shareName"),
  "core/v1.CephFSVolumeSource": { monitors: "required" },
  "core/v1.CinderVolumeSource": { volumeID: "required" },
  "core/v1.ConfigMapProjection": { name: "required" },
  "core/v1.ConfigMapVolumeSource": { name: "required", defaultMode: "fileMode", items: "fields" },
  "core/v1.CSIPersistentVolumeSource": {
    volumeHandle: "required",
    ...each(
      "fields",
      "controllerPublishSecretRef controllerExpandSecretRef nodePublishSecretRef nodeExpandSecretRef",
    ),
  },
  "core/v1.FCVolumeSource": { lun: "range=0,255" },
  "core/v1.FlexVolumeSource": { driver: "required" },
  "core/v1.GCEPersistentDiskVolumeSource": {
    pdName: "required",
    partition: "nonZero=range=1,255",
  },
  "core/v1.GitRepoVolumeSource": { repository: "required", directory: "relativePath" },
  "core/v1.GlusterfsVolumeSource": each("required", "endpoints path"),
  "core/v1.HostPathVolumeSource": {
    path: ["required", "inwardPath"],
    type: "enum",
  },
  "core/v1.ImageVolumeSource": { reference: "required", pullPolicy: "enum" },
  "core/v1.ISCSIVolumeSource": {
    ...each("required", "targetPortal iqn"),
    lun: "range=0,255",
  },
  "core/v1.KeyToPath": {
    key: "required",
    path: ["required", "localPath"],
    mode: "fileMode",
  },
  "core/v1.NFSVolumeSource": {
    server: "required",
    path: ["required", "always=absolutePath"],
  },
  "core/v1.PersistentVolumeClaimSpec": {
    selector: "selector",
    ...each("nonZero=format=subdomain", "storageClassName volumeAttributesClassName"),
    volumeMode: "enum",
  },
  "core/v1.PersistentVolumeClaimVolumeSource": { claimName: "required" },
  "core/v1.PersistentVolumeSpec": {
    accessModes: "required",
    persistentVolumeReclaimPolicy: "enum",
    storageClassName: "format=subdomain",
    volumeMode: "enum",
  },
  "core/v1.PhotonPersistentDiskVolumeSource": { pdID: "required" },
  "core/v1.PortworxVolumeSource": { volumeID: "required" },
  "core/v1.QuobyteVolumeSource": { volume: "required" },
  "core/v1.RBDVolumeSource": each("required", "monitors image"),
  "core/v1.ScaleIOVolumeSource": each("required", "gateway system volumeName"),
  "core/v1.SecretProjection": { name: "required" },
  "core/v1.SecretReference": {
    name: ["required", "format=subdomain"],
    namespace: ["required", "format=label"],
  },
  "core/v1.SecretVolumeSource": {
    secretName: "required",
    defaultMode: "fileMode",
    items: "fields",
  },
  "core/v1.StorageOSVolumeSource": {
    volumeName: ["required", "format=label"],
    volumeNamespace: "format=label",
  },
  "core/v1.TypedLocalObjectReference": {
    ...each("required", "name kind"),
    apiGroup: "nonZero=format=subdomain",
  },
  "core/v1.TypedObjectReference": {
    ...each("required", "name kind"),
    apiGroup: "nonZero=format=subdomain",
  },
  "core/v1.VolumeSource": each(
    "fields",
    "awsElasticBlockStore azureFile cephfs cinder configMap flexVolume gitRepo glusterfs hostPath image nfs persistentVolumeClaim photonPersistentDisk portworxVolume rbd scaleIO secret storageos vsphereVolume",
  ),
  "core/v1.VsphereVirtualDiskVolumeSource": { volumePath: "required" },
};
