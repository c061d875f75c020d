package main

import (
	"encoding/json"
	"log"
	"sort"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	flowcontrolbootstrap "k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	schedulingv1 "k8s.io/kubernetes/pkg/apis/scheduling/v1"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac/bootstrappolicy"
)

type bootstrapObject interface {
	runtime.Object
	metav1.Object
}

// bootstrapRows lists the objects that kube-apiserver creates when it starts, with the defaults of
// their kinds, by kind in the order of `bootstrapKinds` and by name.
func bootstrapRows() []row {
	objects := append(accessObjects(), flowControlObjects()...)
	for _, one := range schedulingv1.SystemPriorityClasses() {
		objects = append(objects, one)
	}
	var rows []row
	for _, one := range objects {
		gvk := kindOf(one)
		if generationKinds[gvk.Kind] {
			one.SetGeneration(1)
		}
		legacyscheme.Scheme.Default(one)
		one.GetObjectKind().SetGroupVersionKind(gvk)
		text, err := json.Marshal(one)
		if err != nil {
			log.Fatal(err)
		}
		key := one.GetName()
		if one.GetNamespace() != "" {
			key = one.GetNamespace() + "/" + key
		}
		apiVersion := gvk.GroupVersion().String()
		rows = append(rows, row{"apiVersion": apiVersion, "kind": gvk.Kind, "key": key, "object": json.RawMessage(text)})
	}
	sort.SliceStable(rows, func(i, j int) bool {
		a, b := rows[i], rows[j]
		if a["kind"] != b["kind"] {
			return bootstrapKinds[a["kind"].(string)] < bootstrapKinds[b["kind"].(string)]
		}
		return a["key"].(string) < b["key"].(string)
	})
	return rows
}

var bootstrapKinds = map[string]int{
	"ClusterRole": 0, "ClusterRoleBinding": 1, "Role": 2, "RoleBinding": 3,
	"FlowSchema": 4, "PriorityLevelConfiguration": 5, "PriorityClass": 6,
}

// generationKinds are the kinds whose objects the server stores with generation 1.
var generationKinds = map[string]bool{"FlowSchema": true, "PriorityLevelConfiguration": true, "PriorityClass": true}

func accessObjects() []bootstrapObject {
	var objects []bootstrapObject
	for _, one := range append(bootstrappolicy.ClusterRoles(), bootstrappolicy.ControllerRoles()...) {
		objects = append(objects, &one)
	}
	for _, one := range append(bootstrappolicy.ClusterRoleBindings(), bootstrappolicy.ControllerRoleBindings()...) {
		objects = append(objects, &one)
	}
	for _, roles := range bootstrappolicy.NamespaceRoles() {
		for _, one := range roles {
			objects = append(objects, &one)
		}
	}
	for _, bindings := range bootstrappolicy.NamespaceRoleBindings() {
		for _, one := range bindings {
			objects = append(objects, &one)
		}
	}
	return objects
}

func flowControlObjects() []bootstrapObject {
	var objects []bootstrapObject
	for _, one := range append(flowcontrolbootstrap.MandatoryFlowSchemas, flowcontrolbootstrap.SuggestedFlowSchemas...) {
		objects = append(objects, one.DeepCopy())
	}
	levels := append(flowcontrolbootstrap.MandatoryPriorityLevelConfigurations, flowcontrolbootstrap.SuggestedPriorityLevelConfigurations...)
	for _, one := range levels {
		objects = append(objects, one.DeepCopy())
	}
	// The server marks what it maintains (pkg/registry/flowcontrol/ensurer).
	for _, one := range objects {
		one.SetAnnotations(map[string]string{flowcontrolv1.AutoUpdateAnnotationKey: "true"})
	}
	return objects
}

// kindOf returns the versioned kind of an object.
func kindOf(one runtime.Object) schema.GroupVersionKind {
	kinds, _, err := legacyscheme.Scheme.ObjectKinds(one)
	if err != nil || len(kinds) != 1 {
		log.Fatalf("kinds of %T: %v %v", one, kinds, err)
	}
	return kinds[0]
}
