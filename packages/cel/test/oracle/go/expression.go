package main

import (
	"strconv"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/library"
)

// variable has a type such as "list(int)", and a value in JSON.
type variable struct {
	Type  string `json:"type"`
	Value any    `json:"value"`
	// Size is known from a schema, for estimates.
	Size *size `json:"size"`
}

type size struct {
	Min uint64 `json:"min"`
	Max uint64 `json:"max"`
}

type evaluation struct {
	CompileErrors []compileError `json:"compileErrors,omitempty"`
	// CompileText is what a server writes into a status.
	CompileText string `json:"compileText,omitempty"`
	// ProgramError is an error of a constant part.
	ProgramError string    `json:"programError,omitempty"`
	Type         string    `json:"type,omitempty"`
	Value        any       `json:"value,omitempty"`
	Error        string    `json:"error,omitempty"`
	Cost         string    `json:"cost,omitempty"`
	Estimate     *estimate `json:"estimate,omitempty"`
}

type compileError struct {
	Message string `json:"message"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
}

type estimate struct {
	Min string `json:"min"`
	Max string `json:"max"`
}

func evaluate(one testCase) (*evaluation, error) {
	set, err := environmentSet(one.Version)
	if err != nil {
		return nil, err
	}
	env := set.NewExpressionsEnv()
	if one.Mode == "stored" {
		env = set.StoredExpressionsEnv()
	}
	options := []cel.EnvOption{}
	if one.JSONPatch {
		options = append(options, library.JSONPatch())
	}
	values := map[string]any{}
	sizes := sizesOf{}
	for name, given := range one.Variables {
		declared, err := parseType(given.Type)
		if err != nil {
			return nil, err
		}
		options = append(options, cel.Variable(name, declared))
		if values[name], err = toValue(declared, given.Value); err != nil {
			return nil, err
		}
		if given.Size != nil {
			sizes[name] = checker.SizeEstimate{Min: given.Size.Min, Max: given.Size.Max}
		}
	}
	if env, err = env.Extend(options...); err != nil {
		return nil, err
	}
	return run(env, one.Expression, values, sizes)
}

func run(env *cel.Env, expression string, values map[string]any, sizes sizesOf) (*evaluation, error) {
	ast, issues := env.Compile(expression)
	if issues != nil && issues.Err() != nil {
		result := &evaluation{CompileText: issues.String()}
		for _, one := range issues.Errors() {
			at := one.Location
			result.CompileErrors = append(result.CompileErrors, compileError{one.Message, at.Line(), at.Column()})
		}
		return result, nil
	}
	result := &evaluation{Type: ast.OutputType().String()}
	estimator := &library.CostEstimator{SizeEstimator: sizes}
	program, err := env.Program(ast, cel.CostLimit(celconfig.PerCallLimit), cel.CostTracking(estimator))
	if err != nil {
		result.ProgramError = err.Error()
		return result, nil
	}
	estimated, err := env.EstimateCost(ast, estimator)
	if err != nil {
		return nil, err
	}
	result.Estimate = &estimate{strconv.FormatUint(estimated.Min, 10), strconv.FormatUint(estimated.Max, 10)}
	value, details, err := program.Eval(values)
	if err != nil {
		result.Error = err.Error()
	} else {
		result.Value = fromValue(value)
	}
	if details != nil && details.ActualCost() != nil {
		result.Cost = strconv.FormatUint(*details.ActualCost(), 10)
	}
	return result, nil
}

// sizesOf are the sizes of variables.
type sizesOf map[string]checker.SizeEstimate

func (s sizesOf) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
	path := element.Path()
	if len(path) != 1 {
		return nil
	}
	if known, ok := s[path[0]]; ok {
		return &known
	}
	return nil
}

func (s sizesOf) EstimateCallCost(string, string, *checker.AstNode, []checker.AstNode) *checker.CallEstimate {
	return nil
}
