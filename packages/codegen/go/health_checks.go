package main

import (
	"go/ast"
	"path/filepath"
	"sort"
)

// nameArguments are the functions whose first argument names a health check, with the prefix of the
// name.
var nameArguments = map[string]string{
	"AddPostStartHook": "poststarthook/", "AddPostStartHookOrDie": "poststarthook/",
	"NamedCheck": "", "NamedGroupedCheck": "", "makeAPIServiceAvailableHealthCheck": "",
}

// healthCheckRows lists the names of the health checks that kube-apiserver and the servers inside of
// it can have. Which of them a server reports, and in which order, depends on its flags and is found
// out by asking one.
func healthCheckRows(kubernetes string) []row {
	folders := []string{
		filepath.Join(moduleFolder("k8s.io/apiserver"), "pkg/server"),
		filepath.Join(moduleFolder("k8s.io/apiserver"), "pkg/server/healthz"),
		filepath.Join(moduleFolder("k8s.io/apiserver"), "pkg/server/options"),
		filepath.Join(moduleFolder("k8s.io/kube-aggregator"), "pkg/apiserver"),
		filepath.Join(moduleFolder("k8s.io/apiextensions-apiserver"), "pkg/apiserver"),
		filepath.Join(kubernetes, "pkg/controlplane"),
		filepath.Join(kubernetes, "pkg/controlplane/apiserver"),
	}
	providers, err := filepath.Glob(filepath.Join(kubernetes, "pkg/registry/*/rest"))
	if err != nil {
		panic(err)
	}
	names := map[string]bool{}
	for _, folder := range append(folders, providers...) {
		files := parseFolder(folder)
		constants := stringConstants(files)
		for _, file := range files {
			ast.Inspect(file, func(node ast.Node) bool {
				if name, ok := healthCheck(node, constants); ok {
					names[name] = true
				}
				return true
			})
		}
	}
	rows := make([]row, 0, len(names))
	for name := range names {
		rows = append(rows, row{"name": name})
	}
	sort.Slice(rows, func(i, j int) bool { return rows[i]["name"].(string) < rows[j]["name"].(string) })
	return rows
}

// healthCheck returns the name of a check that a node adds: by a call, by a method `Name` of a type of
// check, or by a method `PostStartHook` of a storage provider.
func healthCheck(node ast.Node, constants map[string]string) (string, bool) {
	switch n := node.(type) {
	case *ast.CallExpr:
		prefix, known := nameArguments[called(n)]
		if !known || len(n.Args) == 0 {
			return "", false
		}
		name, ok := stringOf(n.Args[0], constants)
		return prefix + name, ok
	case *ast.FuncDecl:
		if n.Recv == nil || n.Body == nil || len(n.Body.List) == 0 {
			return "", false
		}
		prefix := map[string]string{"PostStartHook": "poststarthook/", "Name": ""}
		last, returns := n.Body.List[len(n.Body.List)-1].(*ast.ReturnStmt)
		of, known := prefix[n.Name.Name]
		if !known || !returns || len(last.Results) == 0 {
			return "", false
		}
		name, ok := stringOf(last.Results[0], constants)
		return of + name, ok
	}
	return "", false
}

func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}
