package main

import (
	"fmt"
	"go/build"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

var (
	protoMessage = regexp.MustCompile(`^message (\w+) \{`)
	protoField   = regexp.MustCompile(`^  (?:(optional|repeated) )?(map<string, [^>]+>|[\w.]+) (\w+) = (\d+);`)
)

// checkProto compares the field numbers and types that reflection found with upstream's own
// generated.proto and stops at the first difference: a wrong number would corrupt objects in silence.
func checkProto(p *pkg, c *collector) {
	found, err := build.Import(p.path, ".", build.FindOnly)
	if err != nil {
		log.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(found.Dir, "generated.proto"))
	if os.IsNotExist(err) {
		for name, t := range p.types {
			for _, f := range t.fields {
				if f.facts["pb"] != nil {
					log.Fatalf("%s.%s has protobuf numbers but no generated.proto", p.name, name)
				}
			}
		}
		return
	}
	if err != nil {
		log.Fatal(err)
	}
	for name, want := range parseProto(string(text)) {
		t := p.types[name]
		if t == nil {
			continue
		}
		have := map[string]bool{}
		for _, f := range t.fields {
			if number, ok := f.facts["pb"].(int); ok {
				have[fmt.Sprintf("%d %s", number, c.protoType(f.facts["type"].(string)))] = true
			}
		}
		if encode(have) != encode(want) {
			log.Fatalf("%s.%s: the proto says %s, Go says %s", p.name, name, encode(want), encode(have))
		}
	}
}

func parseProto(text string) map[string]map[string]bool {
	messages := map[string]map[string]bool{}
	var current map[string]bool
	for _, line := range strings.Split(text, "\n") {
		if m := protoMessage.FindStringSubmatch(line); m != nil {
			current = map[string]bool{}
			messages[m[1]] = current
		}
		if m := protoField.FindStringSubmatch(line); m != nil {
			number, _ := strconv.Atoi(m[4])
			prefix, name := "", m[2]
			if m[1] == "repeated" {
				prefix = "[]"
			}
			if inner, ok := strings.CutPrefix(name, "map<string, "); ok {
				prefix, name = "{}", strings.TrimSuffix(inner, ">")
			}
			current[fmt.Sprintf("%d %s%s", number, prefix, name[strings.LastIndex(name, ".")+1:])] = true
		}
	}
	return messages
}

// protoType writes a type of the facts as parseProto does: without its package, enums as strings.
func (c *collector) protoType(text string) string {
	text = strings.TrimPrefix(text, "*")
	prefix := ""
	if strings.HasPrefix(text, "[]") || strings.HasPrefix(text, "{}") {
		prefix, text = text[:2], text[2:]
	}
	if t := c.byName(text); t != nil && t.facts["enum"] != nil {
		text = "string"
	}
	return prefix + text[strings.LastIndex(text, ".")+1:]
}
