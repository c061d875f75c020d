module github.com/typekube/typekube/packages/cel/test/oracle/go

go 1.26.0

require (
	github.com/google/cel-go v0.29.2
	k8s.io/apiextensions-apiserver v0.37.1
	k8s.io/apimachinery v0.37.1
	k8s.io/apiserver v0.37.1
)
