package main

import (
	"bytes"
	"encoding/json"
	"log"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// row is one fact line. encoding/json sorts the keys of maps, so rows are deterministic.
type row map[string]any

func encode(value any) string {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		log.Fatal(err)
	}
	return strings.TrimSpace(buffer.String())
}

func clear(out string) {
	if err := os.RemoveAll(filepath.Join(out, "types")); err != nil {
		log.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(out, "types"), 0o755); err != nil {
		log.Fatal(err)
	}
}

func write(path, text string) {
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		log.Fatal(err)
	}
}

func writeRows(out, name string, rows []row) {
	lines := make([]string, len(rows))
	for i, r := range rows {
		lines[i] = encode(r)
	}
	write(filepath.Join(out, name), "[\n"+strings.Join(lines, ",\n")+"\n]\n")
}

// writeTypes writes one package: the facts of a type on one line, then each of its fields on its own.
func writeTypes(out string, p *pkg) {
	head := encode(row{"name": p.name, "path": p.path, "apiVersion": p.apiVersion})
	names := make([]string, 0, len(p.types))
	for name := range p.types {
		names = append(names, name)
	}
	sort.Strings(names)
	var lines []string
	for _, name := range names {
		t := p.types[name]
		t.facts["name"] = name
		fields := make([]string, len(t.fields))
		for i, f := range t.fields {
			fields[i] = "\n" + encode(f.facts)
		}
		line := strings.TrimSuffix(encode(t.facts), "}")
		if len(fields) > 0 {
			line += `,"fields":[` + strings.Join(fields, ",") + "\n]"
		}
		lines = append(lines, line+"}")
	}
	text := strings.TrimSuffix(head, "}") + `,"types":[` + "\n" + strings.Join(lines, ",\n") + "\n]}\n"
	write(filepath.Join(out, "types", strings.ReplaceAll(p.name, "/", ".")+".json"), text)
}
