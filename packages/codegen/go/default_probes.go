package main

import (
	"encoding/json"
	"reflect"

	"k8s.io/apimachinery/pkg/util/intstr"
)

// probe finds out which defaults depend on other fields of the same type, and which fields keep an
// explicit empty value.
func (d *defaulting) probe(root, typ reflect.Type, path []step, base map[string]json.RawMessage, found *typeDefaults) {
	for _, f := range reflect.VisibleFields(typ) {
		if !f.IsExported() || isInlined(f) {
			continue
		}
		name := jsonName(f)
		if _, has := base[name]; has && d.keepsEmpty(root, path, f.Index, name) {
			found.keepsEmpty[name] = true
		}
		for _, sample := range samples(f.Type) {
			after := d.filled(root, path, func(place reflect.Value) { fieldAt(place, f.Index).Set(sample) })
			for other, value := range base {
				if other != name && string(after[other]) != string(value) {
					found.depends[other] = true
				}
			}
		}
	}
}

// fieldAt returns a field of a struct or of one that it inlines, which may be a pointer.
func fieldAt(v reflect.Value, index []int) reflect.Value {
	for _, at := range index {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(at)
	}
	return v
}

// keepsEmpty sets a field to an empty value that is not nil, and tells whether it stays.
func (d *defaulting) keepsEmpty(root reflect.Type, path []step, index []int, name string) bool {
	settable := false
	after := d.filled(root, path, func(place reflect.Value) {
		f := fieldAt(place, index)
		switch f.Kind() {
		case reflect.Pointer:
			if f.Type().Elem().Kind() != reflect.Struct || f.Type().Elem() == reflect.TypeFor[intstr.IntOrString]() {
				settable = true
				f.Set(reflect.New(f.Type().Elem()))
			}
		case reflect.Slice:
			settable = true
			f.Set(reflect.MakeSlice(f.Type(), 0, 0))
		}
	})
	_, changed := after[name]
	return settable && !changed
}

// samples are values of a type that defaults may depend on.
func samples(t reflect.Type) []reflect.Value {
	var list []reflect.Value
	switch t.Kind() {
	case reflect.Pointer:
		if t.Elem().Kind() == reflect.Struct {
			return append(list, reflect.New(t.Elem()))
		}
		for _, inner := range samples(t.Elem()) {
			pointer := reflect.New(t.Elem())
			pointer.Elem().Set(inner)
			list = append(list, pointer)
		}
	case reflect.String:
		for _, text := range append([]string{"name", "name:tag"}, constantsOf(t)...) {
			list = append(list, reflect.ValueOf(text).Convert(t))
		}
	case reflect.Bool:
		list = append(list, reflect.ValueOf(true).Convert(t))
	case reflect.Int32, reflect.Int64:
		list = append(list, reflect.ValueOf(1).Convert(t))
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Struct {
			list = append(list, reflect.MakeSlice(t, 1, 1))
		}
	}
	return list
}

var markersOf = map[string]*packageMarkers{}

// constantsOf returns the constants of a named string type.
func constantsOf(t reflect.Type) []string {
	path := t.PkgPath()
	if path == "" {
		return nil
	}
	if markersOf[path] == nil {
		markersOf[path] = readMarkers(path)
	}
	return markersOf[path].enums[t.Name()]
}
