package main

import (
	"encoding/json"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"log"
	"sort"
	"strconv"
	"strings"
)

// markers are the facts that stand in comments: lines that begin with "+", and deprecation.
type markers struct {
	facts         row
	enum, wrapper bool
}

type packageMarkers struct {
	types  map[string]markers
	fields map[string]markers
	enums  map[string][]string
	// constantTexts holds the texts of constants by name, whatever their type.
	constantTexts map[string]string
}

func (m markers) addTo(facts row) {
	for key, value := range m.facts {
		facts[key] = value
	}
}

// readMarkers parses the sources of one package.
func readMarkers(path string) *packageMarkers {
	found, err := build.Import(path, ".", build.FindOnly)
	if err != nil {
		log.Fatal(err)
	}
	sources := token.NewFileSet()
	parsed, err := parser.ParseDir(sources, found.Dir, func(info fs.FileInfo) bool {
		return !strings.HasSuffix(info.Name(), "_test.go") && !strings.HasPrefix(info.Name(), "zz_generated") &&
			!strings.HasPrefix(info.Name(), "generated.") && info.Name() != "types_swagger_doc_generated.go"
	}, parser.ParseComments)
	if err != nil {
		log.Fatal(err)
	}
	result := &packageMarkers{map[string]markers{}, map[string]markers{}, map[string][]string{}, map[string]string{}}
	for _, p := range parsed {
		for _, file := range p.Files {
			for _, decl := range file.Decls {
				if general, ok := decl.(*ast.GenDecl); ok {
					result.declaration(sources, file, general)
				}
			}
		}
	}
	for name := range result.enums {
		sort.Strings(result.enums[name])
	}
	return result
}

func (p *packageMarkers) declaration(sources *token.FileSet, file *ast.File, decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			doc := spec.Doc
			if doc == nil {
				doc = decl.Doc
			}
			p.types[spec.Name.Name] = parseMarkers(commentText(sources, file, doc, decl.Pos()))
			if structure, ok := spec.Type.(*ast.StructType); ok {
				p.structFields(spec.Name.Name, structure)
			}
		case *ast.ValueSpec:
			p.constants(file, decl, spec)
		}
	}
}

func (p *packageMarkers) structFields(owner string, structure *ast.StructType) {
	for _, f := range structure.Fields.List {
		var text string
		if f.Doc != nil {
			text = rawText(f.Doc)
		}
		parsed := parseMarkers(text)
		for _, name := range f.Names {
			p.fields[owner+"."+name.Name] = parsed
		}
	}
}

// constants collects the values of string types; which of those are enums the type's marker says.
// A constant has its type beside its name, or is a conversion to it.
func (p *packageMarkers) constants(file *ast.File, decl *ast.GenDecl, spec *ast.ValueSpec) {
	if decl.Tok != token.CONST {
		return
	}
	excluded := spec.Doc != nil && strings.Contains(rawText(spec.Doc), "+k8s:enumExclude\n")
	for i, value := range spec.Values {
		typ, _ := spec.Type.(*ast.Ident)
		if call, ok := value.(*ast.CallExpr); ok && typ == nil && len(call.Args) == 1 {
			typ, _ = call.Fun.(*ast.Ident)
			value = call.Args[0]
		}
		text, ok := textOf(file, value)
		if !ok {
			continue
		}
		p.constantTexts[spec.Names[i].Name] = text
		if typ != nil && !excluded {
			p.enums[typ.Name] = append(p.enums[typ.Name], text)
		}
	}
}

// textOf is the text of a literal, or of a constant of another package.
func textOf(file *ast.File, value ast.Expr) (string, bool) {
	switch value := value.(type) {
	case *ast.BasicLit:
		if value.Kind != token.STRING {
			return "", false
		}
		text, err := strconv.Unquote(value.Value)
		if err != nil {
			log.Fatal(err)
		}
		return text, true
	case *ast.SelectorExpr:
		path := importPath(file, value.X)
		if !strings.HasPrefix(path, "k8s.io/api/") {
			return "", false
		}
		text, ok := readMarkers(path).constantTexts[value.Sel.Name]
		return text, ok
	}
	return "", false
}

// importPath is what a file imports under a name.
func importPath(file *ast.File, name ast.Expr) string {
	ident, ok := name.(*ast.Ident)
	if !ok {
		return ""
	}
	for _, imported := range file.Imports {
		path, err := strconv.Unquote(imported.Path.Value)
		if err != nil {
			log.Fatal(err)
		}
		if imported.Name != nil && imported.Name.Name == ident.Name ||
			imported.Name == nil && strings.HasSuffix(path, "/"+ident.Name) {
			return path
		}
	}
	return ""
}

func rawText(group *ast.CommentGroup) string {
	var text strings.Builder
	for _, comment := range group.List {
		text.WriteString(strings.TrimSpace(strings.TrimPrefix(comment.Text, "//")) + "\n")
	}
	return text.String()
}

// commentText joins the doc comment with the comment group just above it: upstream separates
// markers for generators by an empty line.
func commentText(sources *token.FileSet, file *ast.File, doc *ast.CommentGroup, start token.Pos) string {
	text := ""
	top := sources.Position(start).Line
	if doc != nil {
		text = rawText(doc)
		top = sources.Position(doc.Pos()).Line
	}
	for _, group := range file.Comments {
		if sources.Position(group.End()).Line == top-2 {
			for _, line := range strings.Split(rawText(group), "\n") {
				if strings.HasPrefix(line, "+") {
					text += line + "\n"
				}
			}
		}
	}
	return text
}

func parseMarkers(text string) markers {
	m := markers{facts: row{}}
	var keys, validations []string
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "Deprecated:") || strings.HasPrefix(line, "DEPRECATED") {
			m.facts["deprecated"] = true
		}
		marker, ok := strings.CutPrefix(line, "+")
		if !ok {
			continue
		}
		name, value, _ := strings.Cut(marker, "=")
		switch {
		case name == "optional" || name == "required":
			m.facts[name] = true
		case name == "enum" || name == "k8s:enum":
			m.enum = true
		case name == "protobuf.nullable":
			m.wrapper = true
		case name == "default":
			var parsed any
			if json.Unmarshal([]byte(value), &parsed) == nil {
				m.facts["default"] = parsed
			}
		case name == "listType" || name == "mapType" || name == "structType":
			m.facts[name] = value
		case name == "listMapKey":
			keys = append(keys, value)
		case strings.HasPrefix(name, "k8s:") && !aboutGenerators(name):
			validations = append(validations, strings.ReplaceAll(strings.TrimPrefix(marker, "k8s:"), "+k8s:", ""))
		}
	}
	if keys != nil {
		m.facts["listMapKeys"] = keys
	}
	if validations != nil {
		m.facts["validations"] = validations
	}
	return m
}

// aboutGenerators tells the k8s: markers that steer upstream's own generators.
func aboutGenerators(name string) bool {
	return name == "k8s:openapi-model-package" || strings.HasSuffix(name, "-gen") || strings.Contains(name, "-gen:")
}
