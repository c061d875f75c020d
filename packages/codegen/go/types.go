package main

import (
	"log"
	"reflect"
	"sort"
	"strconv"
	"strings"
)

type pkg struct {
	name, path, apiVersion string
	types                  map[string]*typeFacts
}

type typeFacts struct {
	facts  row
	fields []*field
}

type field struct {
	jsonName string
	facts    row
}

// packageName shortens a Go import path to the name that tables use.
func packageName(path string) string {
	for _, prefix := range []string{
		"k8s.io/apimachinery/pkg/apis/", "k8s.io/apimachinery/pkg/", "k8s.io/apiextensions-apiserver/pkg/apis/",
		"k8s.io/kube-aggregator/pkg/apis/", "k8s.io/api/",
	} {
		if short, ok := strings.CutPrefix(path, prefix); ok {
			return short
		}
	}
	log.Fatalf("no short name for package %s", path)
	return ""
}

type collector struct {
	packages map[string]*pkg
	markers  map[string]*packageMarkers
}

// collect walks all types that can be reached from the roots.
func collect(api *openAPISchemas) []*pkg {
	c := &collector{map[string]*pkg{}, map[string]*packageMarkers{}}
	for _, r := range roots() {
		c.visit(r.typ)
		p := c.pkg(r.typ.PkgPath())
		if r.gvk.Kind == "" {
			continue
		}
		apiVersion := r.gvk.GroupVersion().String()
		if r.typ.PkgPath() == metaPath {
			p.types[r.typ.Name()].facts["apiVersion"] = apiVersion
		} else if p.apiVersion == "" {
			p.apiVersion = apiVersion
		}
		p.types[r.typ.Name()].facts["kind"] = r.gvk.Kind
	}
	c.pkg(metaPath).apiVersion = "meta.k8s.io/v1"
	list := make([]*pkg, 0, len(c.packages))
	for _, p := range c.packages {
		list = append(list, p)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].name < list[j].name })
	for _, p := range list {
		api.addTo(p, c)
	}
	for _, p := range list {
		for _, t := range p.types {
			for _, f := range t.fields {
				f.finish()
			}
		}
		checkProto(p, c)
	}
	return list
}

func (c *collector) pkg(path string) *pkg {
	if c.packages[path] == nil {
		c.packages[path] = &pkg{name: packageName(path), path: path, types: map[string]*typeFacts{}}
		c.markers[path] = readMarkers(path)
	}
	return c.packages[path]
}

func (c *collector) define(t reflect.Type, facts row) *typeFacts {
	defined := &typeFacts{facts: facts}
	c.pkg(t.PkgPath()).types[t.Name()] = defined
	return defined
}

// visit notes a named type once and everything it refers to.
func (c *collector) visit(t reflect.Type) {
	p := c.pkg(t.PkgPath())
	if p.types[t.Name()] != nil {
		return
	}
	markers := c.markers[t.PkgPath()]
	special := forms[p.name+"."+t.Name()]
	facts := row{}
	defined := c.define(t, facts)
	typeMarkers := markers.types[t.Name()]
	typeMarkers.addTo(facts)
	if special.form != "" {
		facts["form"] = special.form
	}
	for _, given := range special.fields {
		defined.fields = append(defined.fields, &field{jsonName: given["name"].(string), facts: given})
	}
	if special.fields != nil {
		return
	}
	if t.Kind() == reflect.Slice {
		facts["form"] = "items"
		defined.fields = []*field{{jsonName: "items", facts: row{"name": "items", "type": "[]" + c.typeName(t.Elem()), "pb": 1}}}
		return
	}
	if t.Kind() != reflect.Struct {
		facts["scalar"] = scalar(t)
		facts["enum"] = markers.enums[t.Name()]
		return
	}
	for i := range t.NumField() {
		if f := c.field(t, t.Field(i), markers); f != nil {
			defined.fields = append(defined.fields, f)
		}
	}
}

func (c *collector) field(owner reflect.Type, f reflect.StructField, markers *packageMarkers) *field {
	if !f.IsExported() && !f.Anonymous {
		return nil
	}
	json, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	protobuf := strings.Split(f.Tag.Get("protobuf"), ",")
	facts := row{}
	hasProtobuf := len(protobuf) > 1
	if hasProtobuf {
		number, err := strconv.Atoi(protobuf[1])
		if err != nil {
			log.Fatalf("%s.%s: %v", owner, f.Name, err)
		}
		facts["pb"] = number
	}
	if json == "-" && !hasProtobuf {
		return nil
	}
	inline := json == "" && f.Anonymous || strings.Contains(options, "inline")
	if inline && strings.HasSuffix(f.Type.Name(), "TypeMeta") && !hasProtobuf {
		c.pkg(owner.PkgPath()).types[owner.Name()].facts["typeMeta"] = true
		return nil
	}
	name := json
	if name == "" || name == "-" {
		name = f.Name
		for _, part := range protobuf {
			if given, ok := strings.CutPrefix(part, "name="); ok {
				name = given
			}
		}
	}
	facts["name"] = name
	facts["type"] = c.typeName(f.Type)
	if inline {
		facts["inline"] = true
	} else {
		if strings.Contains(options, "omitempty") {
			facts["omitempty"] = true
		}
		if strings.Contains(options, "omitzero") {
			facts["omitzero"] = true
		}
	}
	if json == "-" {
		facts["json"] = false
	}
	for _, tag := range []string{"patchStrategy", "patchMergeKey"} {
		if value := f.Tag.Get(tag); value != "" {
			facts[tag] = value
		}
	}
	if m, ok := markers.fields[owner.Name()+"."+f.Name]; ok {
		m.addTo(facts)
	}
	// Upstream renames a field in Go, not on the wire, to say that it is deprecated.
	if strings.HasPrefix(f.Name, "Deprecated") {
		facts["deprecated"] = true
	}
	return &field{jsonName: name, facts: facts}
}

// typeName writes a Go type as tables do: "[]" and "{}" for lists and maps, "*" for pointers.
func (c *collector) typeName(t reflect.Type) string {
	switch {
	case t.Kind() == reflect.Pointer:
		return "*" + c.typeName(t.Elem())
	case t.Kind() == reflect.Interface:
		return "any"
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		return "bytes"
	case t.Kind() == reflect.Struct || c.isWrapper(t) || c.isEnum(t):
		c.visit(t)
		return packageName(t.PkgPath()) + "." + t.Name()
	case t.Kind() == reflect.Slice:
		return "[]" + c.typeName(t.Elem())
	case t.Kind() == reflect.Map && t.Key().Kind() == reflect.String:
		return "{}" + c.typeName(t.Elem())
	}
	return scalar(t)
}

// isWrapper tells a named list that is a message of its own (protobuf has no map of lists).
func (c *collector) isWrapper(t reflect.Type) bool {
	if t.Kind() != reflect.Slice || t.Name() == "" {
		return false
	}
	c.pkg(t.PkgPath())
	return c.markers[t.PkgPath()].types[t.Name()].wrapper
}

func (c *collector) isEnum(t reflect.Type) bool {
	if t.Kind() != reflect.String || !strings.HasPrefix(t.PkgPath(), "k8s.io/") {
		return false
	}
	if strings.HasSuffix(t.PkgPath(), "/pkg/types") {
		return false
	}
	c.pkg(t.PkgPath())
	markers := c.markers[t.PkgPath()]
	return markers.types[t.Name()].enum && len(markers.enums[t.Name()]) > 0
}

func scalar(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String, reflect.Bool, reflect.Int32, reflect.Int64, reflect.Uint32, reflect.Uint64:
		return t.Kind().String()
	case reflect.Float64:
		return "double"
	}
	log.Fatalf("no scalar for %s", t)
	return ""
}
