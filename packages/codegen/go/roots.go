package main

import (
	"log"
	"reflect"
	"sort"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	admissionv1beta1 "k8s.io/api/admission/v1beta1"
	apidiscoveryv2 "k8s.io/api/apidiscovery/v2"
	apidiscoveryv2beta1 "k8s.io/api/apidiscovery/v2beta1"
	imagepolicyv1alpha1 "k8s.io/api/imagepolicy/v1alpha1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsv1beta1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1beta1 "k8s.io/apimachinery/pkg/apis/meta/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	apiregistrationv1beta1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1beta1"
)

const metaPath = "k8s.io/apimachinery/pkg/apis/meta/v1"

// root is a kind with the group-version that its package stands for.
type root struct {
	gvk schema.GroupVersionKind
	typ reflect.Type
}

// roots lists every kind of the schemes, sorted. The meta types, which schemes register under every
// group-version, appear once.
func roots() []root {
	all := runtime.NewScheme()
	adders := []func(*runtime.Scheme) error{
		scheme.AddToScheme,
		admissionv1.AddToScheme, admissionv1beta1.AddToScheme,
		apidiscoveryv2.AddToScheme, apidiscoveryv2beta1.AddToScheme,
		imagepolicyv1alpha1.AddToScheme,
		apiextensionsv1.AddToScheme, apiextensionsv1beta1.AddToScheme,
		apiregistrationv1.AddToScheme, apiregistrationv1beta1.AddToScheme,
		metav1.AddMetaToScheme, metav1beta1.AddMetaToScheme,
	}
	for _, add := range adders {
		if err := add(all); err != nil {
			log.Fatal(err)
		}
	}
	var found []root
	for gvk, typ := range all.AllKnownTypes() {
		if gvk.Version == runtime.APIVersionInternal || strings.HasPrefix(typ.PkgPath(), "k8s.io/apimachinery/") {
			continue
		}
		// A scale type that another group registers belongs to its own package only.
		if own := ownGroupVersion(all, typ); own != gvk.GroupVersion() {
			continue
		}
		found = append(found, root{gvk, typ})
	}
	found = append(found, metaRoots()...)
	sort.Slice(found, func(i, j int) bool { return found[i].gvk.String() < found[j].gvk.String() })
	return found
}

// ownGroupVersion is the group-version under which most types of a package are registered.
func ownGroupVersion(all *runtime.Scheme, typ reflect.Type) schema.GroupVersion {
	votes := map[schema.GroupVersion]int{}
	var best schema.GroupVersion
	for gvk, other := range all.AllKnownTypes() {
		if other.PkgPath() == typ.PkgPath() {
			gv := gvk.GroupVersion()
			votes[gv]++
			if votes[gv] > votes[best] || votes[gv] == votes[best] && gv.String() < best.String() {
				best = gv
			}
		}
	}
	return best
}

// metaRoots are the shared kinds: those that answers carry under "v1", those of meta.k8s.io, and
// types without a kind (an empty one) that clients still meet.
func metaRoots() []root {
	v1 := schema.GroupVersion{Version: "v1"}
	meta := schema.GroupVersion{Group: "meta.k8s.io", Version: "v1"}
	beta := schema.GroupVersion{Group: "meta.k8s.io", Version: "v1beta1"}
	of := func(gv schema.GroupVersion, values ...any) []root {
		var list []root
		for _, v := range values {
			t := reflect.TypeOf(v)
			list = append(list, root{gv.WithKind(t.Name()), t})
		}
		return list
	}
	list := of(v1, metav1.Status{}, metav1.APIGroup{}, metav1.APIGroupList{}, metav1.APIResourceList{},
		metav1.APIVersions{}, metav1.List{})
	list = append(list, of(meta, metav1.Table{}, metav1.PartialObjectMetadata{}, metav1.PartialObjectMetadataList{})...)
	list = append(list, of(beta, metav1beta1.PartialObjectMetadataList{})...)
	for _, v := range []any{
		metav1.WatchEvent{}, metav1.ListOptions{}, metav1.GetOptions{}, metav1.CreateOptions{},
		metav1.UpdateOptions{}, metav1.PatchOptions{}, metav1.ApplyOptions{}, metav1.DeleteOptions{},
		metav1.TableOptions{}, metav1.TypeMeta{}, metav1.Condition{}, metav1.LabelSelector{},
		metav1.GroupVersionResource{}, metav1.GroupVersionKind{}, metav1.GroupResource{}, metav1.GroupKind{},
		runtime.Unknown{}, version.Info{},
	} {
		list = append(list, root{typ: reflect.TypeOf(v)})
	}
	return list
}
