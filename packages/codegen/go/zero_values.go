package main

import (
	"encoding/json"
	"log"
	"reflect"
	"sort"
	"strings"
)

// zeroRows writes what Go's JSON of an empty value of each type is: the proof that the flags which
// the tables carry (pointer, omitempty, omitzero) say what encoding/json does.
func zeroRows() []row {
	seen := map[reflect.Type]bool{}
	for _, r := range roots() {
		reach(r.typ, seen)
	}
	var rows []row
	for t := range seen {
		text, err := json.Marshal(reflect.New(t).Interface())
		if err != nil {
			log.Fatalf("%s: %v", t, err)
		}
		rows = append(rows, row{"type": packageName(t.PkgPath()) + "." + t.Name(), "json": json.RawMessage(text)})
	}
	sort.Slice(rows, func(i, j int) bool { return rows[i]["type"].(string) < rows[j]["type"].(string) })
	return rows
}

func reach(t reflect.Type, seen map[reflect.Type]bool) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		reach(t.Elem(), seen)
	case reflect.Struct:
		if seen[t] || !strings.HasPrefix(t.PkgPath(), "k8s.io/") || t.PkgPath() == "k8s.io/apimachinery/pkg/conversion" {
			return
		}
		seen[t] = true
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() {
				reach(f.Type, seen)
			}
		}
	}
}
