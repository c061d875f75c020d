package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// moduleFolder returns the folder of a required module.
func moduleFolder(module string) string {
	text, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		log.Fatalf("go list -m %s: %v", module, err)
	}
	return strings.TrimSpace(string(text))
}

// parseFolder parses the files of a package, without its tests.
func parseFolder(folder string) []*ast.File {
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		log.Fatal(err)
	}
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			log.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

// stringOf returns the value of a string literal, or of a constant in `names`.
func stringOf(expression ast.Expr, names map[string]string) (string, bool) {
	switch e := expression.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return text, true
		}
	case *ast.Ident:
		text, ok := names[e.Name]
		return text, ok
	}
	return "", false
}

// stringConstants returns the string constants and variables of a package.
func stringConstants(files []*ast.File) map[string]string {
	names := map[string]string{}
	note := func(name, value ast.Expr) {
		if id, ok := name.(*ast.Ident); ok {
			if text, ok := stringOf(value, nil); ok {
				names[id.Name] = text
			}
		}
	}
	for _, file := range files {
		ast.Inspect(file, func(node ast.Node) bool {
			switch n := node.(type) {
			case *ast.ValueSpec:
				for i, value := range n.Values {
					note(n.Names[i], value)
				}
			case *ast.AssignStmt:
				for i, value := range n.Rhs {
					note(n.Lhs[i], value)
				}
			}
			return true
		})
	}
	return names
}
