package main

import (
	"encoding/json"
	"log"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sort"
	"strings"
)

type openAPISchemas struct {
	schemas map[string]openAPISchema
}

type openAPISchema struct {
	Required   []string                  `json:"required"`
	Properties map[string]map[string]any `json:"properties"`
	MapType    string                    `json:"x-kubernetes-map-type"`
}

// openAPI reads the schemas of all group-versions.
func openAPI(kubernetes string) *openAPISchemas {
	files, err := filepath.Glob(filepath.Join(kubernetes, "api/openapi-spec/v3/*.json"))
	if err != nil || len(files) == 0 {
		log.Fatalf("no OpenAPI files below %s: %v", kubernetes, err)
	}
	all := &openAPISchemas{map[string]openAPISchema{}}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			log.Fatal(err)
		}
		var document struct {
			Components struct {
				Schemas map[string]openAPISchema `json:"schemas"`
			} `json:"components"`
		}
		if err := json.Unmarshal(text, &document); err != nil {
			log.Fatal(err)
		}
		for name, s := range document.Components.Schemas {
			all.schemas[name] = s
		}
	}
	return all
}

func schemaName(path, name string) string {
	host, rest, _ := strings.Cut(path, "/")
	labels := strings.Split(host, ".")
	slices.Reverse(labels)
	return strings.Join(labels, ".") + "." + strings.ReplaceAll(rest, "/", ".") + "." + name
}

// addTo adds what OpenAPI says to the fields of a package. A type that only ever stands inlined has
// no schema of its own: its fields are found in a type that inlines it.
func (api *openAPISchemas) addTo(p *pkg, c *collector) {
	names := make([]string, 0, len(p.types))
	for name := range p.types {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		t := p.types[name]
		if s, ok := api.schemas[schemaName(p.path, name)]; ok {
			if s.MapType != "" {
				t.facts["mapType"] = s.MapType
			}
			api.addFields(c, t, s)
		}
	}
}

func (api *openAPISchemas) addFields(c *collector, t *typeFacts, s openAPISchema) {
	for _, f := range t.fields {
		if f.facts["inline"] == true {
			if inlined := c.byName(strings.TrimPrefix(f.facts["type"].(string), "*")); inlined != nil {
				api.addFields(c, inlined, s)
			}
			continue
		}
		property, ok := s.Properties[f.jsonName]
		if !ok || f.facts["schema"] != nil {
			continue
		}
		f.facts["schema"] = property
		if slices.Contains(s.Required, f.jsonName) {
			f.facts["schemaRequired"] = true
		}
		addProperty(f, property)
	}
}

func (c *collector) byName(name string) *typeFacts {
	for _, p := range c.packages {
		if short, ok := strings.CutPrefix(name, p.name+"."); ok && p.types[short] != nil {
			return p.types[short]
		}
	}
	return nil
}

func addProperty(f *field, property map[string]any) {
	for key, from := range map[string]string{
		"listType": "x-kubernetes-list-type", "listMapKeys": "x-kubernetes-list-map-keys",
		"mapType": "x-kubernetes-map-type", "patchStrategy": "x-kubernetes-patch-strategy",
		"patchMergeKey": "x-kubernetes-patch-merge-key", "enum": "enum", "format": "format",
	} {
		value, ok := property[from]
		if !ok {
			continue
		}
		if have, marked := f.facts[key]; marked && encode(have) != encode(value) {
			log.Printf("%s: %s is %v in Go and %v in OpenAPI", f.jsonName, key, have, value)
		}
		f.facts[key] = value
	}
	// OpenAPI writes the zero value as the default of every field without omitempty: not a fact.
	if value, ok := property["default"]; ok && !isZero(value) {
		f.facts["default"] = value
	}
}

func isZero(value any) bool {
	if object, ok := value.(map[string]any); ok {
		return len(object) == 0
	}
	return reflect.ValueOf(value).IsZero()
}

// finish settles what is required: as OpenAPI says, or where it has no schema by its own rule.
func (f *field) finish() {
	_, known := f.facts["schema"]
	required := f.facts["schemaRequired"] == true
	if !known {
		required = f.facts["required"] == true ||
			f.facts["optional"] != true && f.facts["omitempty"] != true && f.facts["omitzero"] != true
	}
	for _, key := range []string{"schema", "schemaRequired", "optional", "required"} {
		delete(f.facts, key)
	}
	if required && f.facts["inline"] != true {
		f.facts["required"] = true
	}
}
