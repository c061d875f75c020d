package main

import (
	"log"
	"slices"
	"sort"

	"k8s.io/apimachinery/pkg/runtime/schema"
	serveroptions "k8s.io/apiserver/pkg/server/options"
	serverstorage "k8s.io/apiserver/pkg/server/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/kubeapiserver"
)

// storedBeside are the resources of the servers beside kube-apiserver's own, from
// cmd/kube-apiserver/app/apiextensions.go and pkg/controlplane/apiserver/aggregator.go.
var storedBeside = map[string]string{
	"customresourcedefinitions.apiextensions.k8s.io": "apiextensions.k8s.io/v1beta1",
	"apiservices.apiregistration.k8s.io":             "apiregistration.k8s.io/v1",
}

// storageVersionRows lists the group-version in which each resource is stored.
func storageVersionRows(resources []row) []row {
	factory := storageFactory()
	stored := map[string]string{}
	for _, resource := range resources {
		verbs := resource["verbs"].([]string)
		name := groupResource(groupOf(resource), resource["resource"].(string))
		if resource["of"] != nil || !slices.Contains(verbs, "create") || !slices.Contains(verbs, "list") || stored[name] != "" {
			continue
		}
		stored[name] = storedBeside[name]
		if stored[name] == "" {
			stored[name] = storedIn(factory, resource)
		}
	}
	rows := make([]row, 0, len(stored))
	for name, version := range stored {
		rows = append(rows, row{"resource": name, "storedIn": version})
	}
	sort.Slice(rows, func(i, j int) bool { return rows[i]["resource"].(string) < rows[j]["resource"].(string) })
	return rows
}

func storageFactory() *serverstorage.DefaultStorageFactory {
	config := kubeapiserver.NewStorageFactoryConfig()
	config.APIResourceConfig = serverstorage.NewResourceConfig()
	config.APIResourceConfig.EnableVersions(legacyscheme.Scheme.PrioritizedVersionsAllGroups()...)
	options := serveroptions.NewEtcdOptions(storagebackend.NewDefaultConfig("", nil))
	factory, err := config.Complete(options).New()
	if err != nil {
		log.Fatal(err)
	}
	return factory
}

func storedIn(factory *serverstorage.DefaultStorageFactory, resource row) string {
	version, err := schema.ParseGroupVersion(resource["apiVersion"].(string))
	if err != nil {
		log.Fatal(err)
	}
	kind := version.WithKind(resource["kind"].(string))
	example, err := legacyscheme.Scheme.New(kind.GroupKind().WithVersion("__internal"))
	if err != nil {
		log.Fatalf("%s: %v", kind, err)
	}
	config, err := factory.NewConfig(version.WithResource(resource["resource"].(string)).GroupResource(), example)
	if err != nil {
		log.Fatalf("%s: %v", kind, err)
	}
	found, ok := config.EncodeVersioner.KindForGroupVersionKinds([]schema.GroupVersionKind{kind})
	if !ok {
		log.Fatalf("%s: no storage version", kind)
	}
	return found.GroupVersion().String()
}
