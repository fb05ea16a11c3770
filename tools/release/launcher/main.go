// Starts the provider of the package endpoint-monitoring on Windows, where Pulumi accepts only an executable. The launcher runs the
// Node in its own folder, and forwards input, output and the exit code. So the signature of Node stays valid.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
)

func main() {
	self, err := os.Executable()
	if err != nil {
		fail(err)
	}
	folder := filepath.Dir(self)
	node := filepath.Join(folder, "node")
	if runtime.GOOS == "windows" {
		node += ".exe"
	}
	plugin := exec.Command(node, append([]string{filepath.Join(folder, "main.js")}, os.Args[1:]...)...)
	plugin.Stdin, plugin.Stdout, plugin.Stderr = os.Stdin, os.Stdout, os.Stderr
	// Node receives the interruption as well, and decides whether to exit.
	signal.Ignore(os.Interrupt)
	err = plugin.Run()
	var exited *exec.ExitError
	if errors.As(err, &exited) {
		os.Exit(exited.ExitCode())
	}
	if err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
