package main

import (
	"fmt"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

type introduced interface{ APILifecycleIntroduced() (int, int) }
type deprecated interface{ APILifecycleDeprecated() (int, int) }
type removed interface{ APILifecycleRemoved() (int, int) }
type replaced interface {
	APILifecycleReplacement() schema.GroupVersionKind
}

// lifecycleRows asks every kind for the releases in which it came and goes.
func lifecycleRows() []row {
	var rows []row
	for _, r := range roots() {
		if strings.HasSuffix(r.gvk.Kind, "List") {
			continue
		}
		line := row{}
		object := reflect.New(r.typ).Interface()
		if o, ok := object.(introduced); ok {
			release(line, "introduced", o.APILifecycleIntroduced)
		}
		if o, ok := object.(deprecated); ok {
			release(line, "deprecated", o.APILifecycleDeprecated)
		}
		if o, ok := object.(removed); ok {
			release(line, "removed", o.APILifecycleRemoved)
		}
		if o, ok := object.(replaced); ok {
			by := o.APILifecycleReplacement()
			line["replacedBy"] = row{"apiVersion": by.GroupVersion().String(), "kind": by.Kind}
		}
		if len(line) > 0 {
			line["apiVersion"] = r.gvk.GroupVersion().String()
			line["kind"] = r.gvk.Kind
			rows = append(rows, line)
		}
	}
	return rows
}

func release(line row, stage string, ask func() (int, int)) {
	if major, minor := ask(); major > 0 {
		line[stage] = fmt.Sprintf("%d.%d", major, minor)
	}
}
