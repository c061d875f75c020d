module typekube.dev/go-regexp

go 1.26.0
