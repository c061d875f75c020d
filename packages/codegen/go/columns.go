package main

import (
	"context"
	"go/ast"
	"log"
	"path/filepath"
	"reflect"
	"sort"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/printers/internalversion"
)

// columnRecorder keeps the columns of each kind that the printers register.
type columnRecorder map[schema.GroupKind][]metav1.TableColumnDefinition

// TableHandler implements printers.PrintHandler.
func (recorder columnRecorder) TableHandler(columns []metav1.TableColumnDefinition, print any) error {
	object := reflect.New(reflect.TypeOf(print).In(0).Elem()).Interface().(runtime.Object)
	kinds, _, err := legacyscheme.Scheme.ObjectKinds(object)
	if err != nil {
		// Handlers of types that are no kinds: of other packages, and of metav1.
		return nil
	}
	for _, kind := range kinds {
		if !strings.HasSuffix(kind.Kind, "List") {
			recorder[kind.GroupKind()] = columns
		}
	}
	return nil
}

// columnRows lists the table columns of each resource that has its own; the row "*" has those of the
// others.
func columnRows(kubernetes string, resources []row) []row {
	recorder := columnRecorder{}
	internalversion.AddHandlers(recorder)
	for kind, folder := range columnSources() {
		if columns := definedColumns(folder); len(columns) > 0 {
			recorder[kind] = columns
		}
	}
	plain, err := rest.NewDefaultTableConvertor(schema.GroupResource{}).
		ConvertToTable(context.Background(), &metav1.PartialObjectMetadataList{}, nil)
	if err != nil {
		log.Fatal(err)
	}
	rows := []row{columnRow("*", plain.ColumnDefinitions)}
	isPlain := plainResources(kubernetes)
	seen := map[string]bool{}
	for _, resource := range resources {
		if resource["of"] != nil || isPlain[resource["resource"].(string)] {
			continue
		}
		group := groupOf(resource)
		name := groupResource(group, resource["resource"].(string))
		columns := recorder[schema.GroupKind{Group: group, Kind: resource["kind"].(string)}]
		if columns != nil && !seen[name] {
			seen[name] = true
			rows = append(rows, columnRow(name, columns))
		}
	}
	sort.Slice(rows, func(i, j int) bool { return rows[i]["resource"].(string) < rows[j]["resource"].(string) })
	return rows
}

// columnSources are the packages that define the columns of kinds outside of kube-apiserver's printers.
func columnSources() map[schema.GroupKind]string {
	apiextensions := moduleFolder("k8s.io/apiextensions-apiserver")
	aggregator := moduleFolder("k8s.io/kube-aggregator")
	return map[schema.GroupKind]string{
		{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"}: filepath.Join(apiextensions, "pkg/registry/customresourcedefinition/tableconvertor"),
		{Group: "apiregistration.k8s.io", Kind: "APIService"}:             filepath.Join(aggregator, "pkg/registry/apiservice/etcd"),
	}
}

// definedColumns reads the column definitions in the sources of a package; none of a package that a
// release does not have.
func definedColumns(folder string) []metav1.TableColumnDefinition {
	var columns []metav1.TableColumnDefinition
	for _, file := range parseFolder(folder) {
		ast.Inspect(file, func(node ast.Node) bool {
			literal, ok := node.(*ast.CompositeLit)
			if !ok {
				return true
			}
			name, hasName := stringOf(fieldOf(literal, "Name"), nil)
			kind, hasType := stringOf(fieldOf(literal, "Type"), nil)
			if hasName && hasType {
				format, _ := stringOf(fieldOf(literal, "Format"), nil)
				priority, _ := numberOf(fieldOf(literal, "Priority"))
				columns = append(columns, metav1.TableColumnDefinition{
					Name: name, Type: kind, Format: format, Priority: int32(priority),
				})
			}
			return true
		})
	}
	return columns
}

// columnRow leaves out the descriptions, which are prose.
func columnRow(resource string, columns []metav1.TableColumnDefinition) row {
	lines := make([]row, len(columns))
	for i, column := range columns {
		lines[i] = row{"name": column.Name, "type": column.Type}
		if column.Format != "" {
			lines[i]["format"] = column.Format
		}
		if column.Priority != 0 {
			lines[i]["priority"] = column.Priority
		}
	}
	return row{"resource": resource, "columns": lines}
}

// plainResources are those whose storage uses the default columns, although some have printers. Their
// plural names are unique.
func plainResources(kubernetes string) map[string]bool {
	folders, err := filepath.Glob(filepath.Join(kubernetes, "pkg/registry/*/*/storage"))
	if err != nil {
		log.Fatal(err)
	}
	plain := map[string]bool{}
	for _, folder := range folders {
		for _, file := range parseFolder(folder) {
			ast.Inspect(file, func(node ast.Node) bool {
				call, ok := node.(*ast.CallExpr)
				if !ok || called(call) != "NewDefaultTableConvertor" {
					return true
				}
				if resource, ok := call.Args[0].(*ast.CallExpr); ok {
					if name, ok := stringOf(resource.Args[0], nil); ok {
						plain[name] = true
					}
				}
				return true
			})
		}
	}
	return plain
}

func groupOf(resource row) string {
	group, _, found := strings.Cut(resource["apiVersion"].(string), "/")
	if !found {
		return ""
	}
	return group
}

func groupResource(group, resource string) string {
	return schema.GroupResource{Group: group, Resource: resource}.String()
}
