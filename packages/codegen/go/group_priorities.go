package main

import (
	"go/ast"
	"log"
	"path/filepath"
	"sort"
	"strconv"
)

// groupPriorityRows lists the priorities of the group-versions in discovery. They stand in composite
// literals of packages that would pull in the whole server, so they are read from the sources.
func groupPriorityRows(kubernetes string) []row {
	found := map[string]row{}
	// In this order: the second file replaces rows of the first.
	for _, folder := range []string{"pkg/controlplane/apiserver", "cmd/kube-apiserver/app"} {
		for _, file := range parseFolder(filepath.Join(kubernetes, folder)) {
			ast.Inspect(file, func(node ast.Node) bool {
				if pair, ok := node.(*ast.KeyValueExpr); ok {
					if line, ok := priorityRow(pair); ok {
						found[apiVersion(line["group"].(string), line["version"].(string))] = line
					}
				}
				return true
			})
		}
	}
	if len(found) < 20 {
		log.Fatalf("found only %d priorities of group-versions", len(found))
	}
	rows := make([]row, 0, len(found))
	for _, line := range found {
		rows = append(rows, line)
	}
	sort.Slice(rows, func(i, j int) bool {
		a, b := rows[i], rows[j]
		if a["group"] != b["group"] {
			return a["group"].(string) < b["group"].(string)
		}
		return a["version"].(string) < b["version"].(string)
	})
	return rows
}

// priorityRow reads `{Group: "apps", Version: "v1"}: {Group: 17800, Version: 15}`.
func priorityRow(pair *ast.KeyValueExpr) (row, bool) {
	key, isKey := pair.Key.(*ast.CompositeLit)
	value, isValue := pair.Value.(*ast.CompositeLit)
	if !isKey || !isValue {
		return nil, false
	}
	group, hasGroup := stringOf(fieldOf(key, "Group"), nil)
	version, hasVersion := stringOf(fieldOf(key, "Version"), nil)
	minimum, isNumber := numberOf(fieldOf(value, "Group"))
	priority, isNumberToo := numberOf(fieldOf(value, "Version"))
	return row{"group": group, "version": version, "groupPriorityMinimum": minimum, "versionPriority": priority},
		hasGroup && hasVersion && isNumber && isNumberToo
}

func fieldOf(literal *ast.CompositeLit, name string) ast.Expr {
	for _, element := range literal.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			if key, ok := pair.Key.(*ast.Ident); ok && key.Name == name {
				return pair.Value
			}
		}
	}
	return nil
}

func numberOf(expression ast.Expr) (int, bool) {
	literal, ok := expression.(*ast.BasicLit)
	if !ok {
		return 0, false
	}
	number, err := strconv.Atoi(literal.Value)
	return number, err == nil
}
