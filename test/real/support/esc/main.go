// Opens an environment of Pulumi ESC as Pulumi Cloud does, from its YAML on standard input, and prints its values as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/pulumi/esc"
	"github.com/pulumi/esc/eval"
)

// Secrets are plain text, providers and other environments are not used: a use of them panics.
type services struct {
	eval.ProviderLoader
	eval.EnvironmentLoader
	eval.Decrypter
}

func open(text []byte) (map[string]any, error) {
	declared, diagnostics, err := eval.LoadYAMLBytes("environment", text)
	if err != nil {
		return nil, err
	}
	if diagnostics.HasErrors() {
		return nil, diagnostics
	}
	execution, err := esc.NewExecContext(map[string]esc.Value{})
	if err != nil {
		return nil, err
	}
	none := services{}
	opened, diagnostics := eval.EvalEnvironment(context.Background(), "environment", declared, none, none, none, execution)
	if diagnostics.HasErrors() {
		return nil, diagnostics
	}
	values := map[string]any{}
	for name, value := range opened.Properties {
		values[name] = value.ToJSON(false)
	}
	return values, nil
}

func run() error {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	values, err := open(text)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(values)
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
