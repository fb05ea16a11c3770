// What Pulumi starts on Windows as the provider of the package endpoint-monitoring: there it takes an executable alone, no script. It runs
// the Node that lies beside it, hands on input, output and the exit code, and adds nothing. Node stays as its makers signed it.
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
	// An interruption reaches Node, too, which decides what becomes of it.
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
