package main

import (
	"bytes"
	"encoding/json"
	"log"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strings"

	apiextensionsinstall "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	"k8s.io/apimachinery/pkg/runtime"
	apiregistrationinstall "k8s.io/kube-aggregator/pkg/apis/apiregistration/install"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// defaulting records what the server fills in. It builds, for each place where a type occurs in a kind,
// an object in which nothing but this place is set, and lets the scheme fill in defaults.
type defaulting struct {
	scheme *runtime.Scheme
	types  map[reflect.Type]*typeDefaults
}

type typeDefaults struct {
	places int
	// fields has the defaults of each field, as JSON, with the number of places.
	fields map[string]map[string]int
	// depends are fields whose default another field changes.
	depends map[string]bool
	// keepsEmpty are fields that keep an explicit empty value.
	keepsEmpty map[string]bool
}

// step is one step of a path: a field, or the element of a list or map.
type step struct {
	field   int
	element bool
}

func newDefaulting() *defaulting {
	scheme := legacyscheme.Scheme
	apiextensionsinstall.Install(scheme)
	apiregistrationinstall.Install(scheme)
	return &defaulting{scheme, map[reflect.Type]*typeDefaults{}}
}

// defaultRows returns the defaults of each type, and the objects with all defaults of each kind.
func defaultRows(resources []row) (types, objects []row) {
	d := newDefaulting()
	served := map[any]bool{}
	for _, resource := range resources {
		served[resource["apiVersion"]] = true
	}
	for _, r := range roots() {
		apiVersion := r.gvk.GroupVersion().String()
		if strings.HasSuffix(r.gvk.Kind, "List") || !served[apiVersion] || !d.scheme.Recognizes(r.gvk) {
			continue
		}
		if after, changed := d.bareObject(r.typ); changed {
			objects = append(objects, row{"apiVersion": apiVersion, "kind": r.gvk.Kind, "object": after})
		}
		d.visit(r.typ, r.typ, nil, map[reflect.Type]bool{})
	}
	for t, found := range d.types {
		if line := found.row(); line != nil {
			line["type"] = packageName(t.PkgPath()) + "." + t.Name()
			types = append(types, line)
		}
	}
	sort.Slice(types, func(i, j int) bool { return types[i]["type"].(string) < types[j]["type"].(string) })
	return types, objects
}

func (d *defaulting) bareObject(root reflect.Type) (json.RawMessage, bool) {
	object := reflect.New(root)
	before := jsonText(object)
	d.scheme.Default(object.Interface().(runtime.Object))
	after := jsonText(object)
	return after, string(before) != string(after)
}

// visit records the defaults of the type at a path, and those of the types below it.
func (d *defaulting) visit(root, typ reflect.Type, path []step, above map[reflect.Type]bool) {
	if above[typ] || !strings.HasPrefix(typ.PkgPath(), "k8s.io/") || packageName(typ.PkgPath()) == "meta/v1" {
		return
	}
	above[typ] = true
	defer delete(above, typ)
	d.record(root, typ, path)
	d.fields(typ, path, func(_ reflect.StructField, inner reflect.Type, steps []step) {
		d.visit(root, inner, steps, above)
	})
}

// fields calls a function for each field of a type, those of inlined structs included, that holds
// structs.
func (d *defaulting) fields(typ reflect.Type, path []step, call func(reflect.StructField, reflect.Type, []step)) {
	for i := range typ.NumField() {
		f := typ.Field(i)
		if !f.IsExported() {
			continue
		}
		steps := append(append([]step{}, path...), step{field: i})
		inner := f.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		if inner.Kind() == reflect.Slice || inner.Kind() == reflect.Map {
			inner = inner.Elem()
			steps = append(steps, step{element: true})
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
		}
		if inner.Kind() != reflect.Struct {
			continue
		}
		if isInlined(f) {
			d.fields(inner, steps, call)
		} else {
			call(f, inner, steps)
		}
	}
}

func isInlined(f reflect.StructField) bool {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	return f.Anonymous && name == "" || strings.Contains(options, "inline")
}

func (d *defaulting) record(root, typ reflect.Type, path []step) {
	found := d.types[typ]
	if found == nil {
		found = &typeDefaults{fields: map[string]map[string]int{}, depends: map[string]bool{}, keepsEmpty: map[string]bool{}}
		d.types[typ] = found
	}
	found.places++
	base := d.filled(root, path, nil)
	for name, value := range base {
		if found.fields[name] == nil {
			found.fields[name] = map[string]int{}
		}
		text := d.shortened(root, typ, path, name, value)
		found.fields[name][text]++
		if strings.Contains(text, now) {
			found.depends[name] = true
		}
	}
	if len(base) > 0 {
		d.probe(root, typ, path, base, found)
	}
}

// filled returns the fields of the value at a path that defaulting changes. `set` may set something
// before.
func (d *defaulting) filled(root reflect.Type, path []step, set func(reflect.Value)) map[string]json.RawMessage {
	object := reflect.New(root)
	place := walk(object.Elem(), path)
	if set != nil {
		set(place)
	}
	before := jsonOf(place.Addr())
	d.scheme.Default(object.Interface().(runtime.Object))
	// Map elements are not addressable: find the place again.
	after := jsonOf(walk(object.Elem(), path).Addr())
	changed := map[string]json.RawMessage{}
	for name, value := range after {
		if was, ok := before[name]; !ok || string(was) != string(value) {
			changed[name] = value
		}
	}
	return changed
}

// shortened returns `{}` for a struct that gets the same defaults when it is given as `{}`.
func (d *defaulting) shortened(root, typ reflect.Type, path []step, name string, value json.RawMessage) string {
	result := string(value)
	if !strings.HasPrefix(result, "{") {
		return result
	}
	d.fields(typ, path, func(f reflect.StructField, inner reflect.Type, steps []step) {
		if jsonName(f) != name || steps[len(steps)-1].element {
			return
		}
		object := reflect.New(root)
		walk(object.Elem(), steps)
		d.scheme.Default(object.Interface().(runtime.Object))
		if string(jsonText(walk(object.Elem(), steps).Addr())) == string(value) {
			result = "{}"
		}
	})
	return result
}

func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

// walk goes along a path and creates what is missing.
func walk(v reflect.Value, path []step) reflect.Value {
	for _, s := range path {
		if s.element {
			v = elementOf(v)
		} else {
			v = v.Field(s.field)
		}
		for v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
	}
	return v
}

func elementOf(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Map {
		// Copies of struct elements suffice: no defaults are set inside of maps.
		return reflect.New(v.Type().Elem()).Elem()
	}
	if v.Len() == 0 {
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
	}
	return v.Index(0)
}

// now stands for the current time, which some defaults are.
const now = "$now"

var currentTime = regexp.MustCompile(`"20\d\d-\d\d-\d\dT[^"]*Z"`)

// jsonOf returns the fields of a value, each in the order of Go's JSON; none for a value that is no
// object.
func jsonOf(v reflect.Value) map[string]json.RawMessage {
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(jsonText(v), &fields); err != nil {
		return nil
	}
	return fields
}

func jsonText(v reflect.Value) json.RawMessage {
	text, err := json.Marshal(v.Interface())
	if err != nil {
		log.Fatal(err)
	}
	return currentTime.ReplaceAllLiteral(text, []byte(`"`+now+`"`))
}

// row returns nil for a type without defaults.
func (found *typeDefaults) row() row {
	always, depends := row{}, row{}
	var keeps []string
	for name, values := range found.fields {
		for text, places := range values {
			if places == found.places && !found.depends[name] {
				always[name] = json.RawMessage(text)
			} else {
				depends[name] = append(asList(depends[name]), json.RawMessage(text))
			}
		}
		if found.keepsEmpty[name] {
			keeps = append(keeps, name)
		}
	}
	if len(always)+len(depends) == 0 {
		return nil
	}
	line := row{"always": always}
	if len(depends) > 0 {
		for _, values := range depends {
			slices.SortFunc(values.([]json.RawMessage), func(a, b json.RawMessage) int { return bytes.Compare(a, b) })
		}
		line["depends"] = depends
	}
	if len(keeps) > 0 {
		sort.Strings(keeps)
		line["keepsEmpty"] = keeps
	}
	return line
}

func asList(value any) []json.RawMessage {
	list, _ := value.([]json.RawMessage)
	return list
}
